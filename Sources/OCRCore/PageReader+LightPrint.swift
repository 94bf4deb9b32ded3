import CTesseract
import Recognition

extension PageReader {
    /// A reading of a dark picture is accepted as text if at least this number of letters is certain.
    private static let minimumLetters = 60

    /// Reads a decoded picture, or its negative if the picture is dark and the negative has more text. If the print is
    /// certainly light, the negative is read first. Otherwise, the negative is read only if the picture has hardly any
    /// text.
    func readDarkOrLight(_ decoded: Raster) -> PageReading {
        guard decoded.isDark, let print = decoded.lightPrint() else { return read(decoded) }
        if print.isLight {
            for negative in print.negatives {
                if let reading = readNegative(negative), reading.page.isText(Self.minimumLetters) { return reading }
            }
        }
        let reading = read(decoded)
        guard !reading.page.isText(Self.minimumLetters), !print.isLight, let first = print.negatives.first,
            let negative = readNegative(first), negative.page.certainLetterCount > 2 * reading.page.certainLetterCount
        else { return reading }
        return negative
    }

    /// Reads a negative. The picture of the result is inverted again, so that it looks like the file.
    private func readNegative(_ negative: Raster) -> PageReading? {
        var reading = read(negative)
        guard let picture = Raster(pixInvert(nil, reading.picture.pix)) else { return nil }
        reading.picture = picture
        return reading
    }
}

extension RecognizedPage {
    /// Whether the page has enough certain letters, and at least a quarter of all letters are certain. In noise, the
    /// engines find many uncertain letters.
    fileprivate func isText(_ minimum: Int) -> Bool {
        let characterCount = lines.reduce(0) { $0 + $1.words.reduce(0) { $0 + $1.text.count } }
        return certainLetterCount >= minimum && certainLetterCount * 4 >= characterCount
    }

    /// The number of letters in words of high confidence.
    fileprivate var certainLetterCount: Int {
        lines.reduce(0) { sum, line in
            sum + line.words.filter { $0.confidence >= 60 && $0.text.count > 2 }.reduce(0) { $0 + $1.text.count }
        }
    }
}

extension Raster {
    /// Whether at least a third of a grey picture is dark. The rest may be a light table.
    fileprivate var isDark: Bool { rank(0.33).map { $0 < 100 } ?? false }

    /// Two negatives of light print on dark paper, such as a menu card, and whether the print is certainly lighter than
    /// the paper. In both negatives, the paper is even and the print is about as dark as on a receipt. The first
    /// negative keeps thin strokes; the second removes the grain of the paper.
    fileprivate func lightPrint() -> (negatives: [Raster], isLight: Bool)? {
        let radius = Int32(max(10, longSide / 60))
        // Softens the picture, so that the grain of dark pictures does not become print.
        guard let soft = Raster(pixBlockconvGray(pix, nil, 1, 1)),
            let light = Raster(pixBlockconvGray(pix, nil, radius, radius)),
            let bright = Raster(pixSubtractGray(nil, soft.pix, light.pix)),
            let dark = Raster(pixSubtractGray(nil, light.pix, soft.pix)),
            let strokeContrast = bright.rank(Self.strokeRank), let shadowContrast = dark.rank(Self.strokeRank),
            strokeContrast > 0,
            // Removes the grain of a table, and with it thin strokes.
            let print = Raster(pixThresholdToValue(nil, bright.pix, Int32(strokeContrast / 4), 0))
        else { return nil }
        pixMultConstantGray(bright.pix, Self.gain)
        pixMultConstantGray(print.pix, Self.strokeDarkness / Float(strokeContrast))
        let negatives = [bright, print].compactMap { Raster(pixInvert(nil, $0.pix), quartersByFile: quartersByFile) }
        return (negatives, strokeContrast * 2 > shadowContrast * 3)
    }

    /// The share of the pixels that are darker than light strokes. Print covers a few percent of a page.
    private static var strokeRank: Float { 0.98 }
    /// The gain of the first negative: print in little light has a quarter of the contrast of black on white.
    private static var gain: Float { 4 }
    /// The contrast of the strokes in the second negative, 0…255.
    private static var strokeDarkness: Float { 200 }

    /// The value that a share of the pixels does not exceed.
    private func rank(_ share: Float) -> UInt32? {
        var value: UInt32 = 0
        return pixGetRankValue(pix, 8, share, &value) == 0 ? value : nil
    }
}
