import CTesseract
import Recognition

extension PageReader {
    /// With fewer letters than this, a dark picture may have light print.
    private static let fewLetters = 60

    /// Reads a decoded picture as it is. A dark one is read as a negative, too: first when its strokes are light, else when hardly
    /// anything was read.
    func readDarkOrLight(_ decoded: Raster) -> PageReading {
        guard decoded.isDark, let print = decoded.lightPrint() else { return read(decoded) }
        if print.isLight {
            for negative in print.negatives {
                if let reading = readNegative(negative), reading.page.isText(Self.fewLetters) { return reading }
            }
        }
        let reading = read(decoded)
        guard !reading.page.isText(Self.fewLetters), !print.isLight, let first = print.negatives.first,
            let negative = readNegative(first), negative.page.certainLetters > 2 * reading.page.certainLetters
        else { return reading }
        return negative
    }

    /// The picture of the result is as the file's: with light print.
    private func readNegative(_ negative: Raster) -> PageReading? {
        var reading = read(negative)
        guard let picture = Raster(pixInvert(nil, reading.picture.pix)) else { return nil }
        reading.picture = picture
        return reading
    }
}

extension RecognizedPage {
    /// Whether there are some certain letters, and not many times as many doubtful ones: noise has those.
    fileprivate func isText(_ fewest: Int) -> Bool {
        let all = lines.reduce(0) { $0 + $1.words.reduce(0) { $0 + $1.text.count } }
        return certainLetters >= fewest && certainLetters * 4 >= all
    }

    /// The letters of words that the engine is certain of.
    fileprivate var certainLetters: Int {
        lines.reduce(0) { sum, line in
            sum + line.words.filter { $0.confidence >= 60 && $0.text.count > 2 }.reduce(0) { $0 + $1.text.count }
        }
    }
}

extension Raster {
    /// Whether a third of a grey picture is dark: a dark list may lie on a light table.
    fileprivate var isDark: Bool { rank(0.33).map { $0 < 100 } ?? false }

    /// Negatives of a card in little light, with even paper and the print about as dark as on a receipt; and whether it is sure that
    /// the print is light.
    fileprivate func lightPrint() -> (negatives: [Raster], isLight: Bool)? {
        let around = Int32(max(10, longSide / 60))
        // A little softer, so that the grain of dark pictures is not made print.
        guard let soft = Raster(pixBlockconvGray(pix, nil, 1, 1)),
            let light = Raster(pixBlockconvGray(pix, nil, around, around)),
            let bright = Raster(pixSubtractGray(nil, soft.pix, light.pix)),
            let dark = Raster(pixSubtractGray(nil, light.pix, soft.pix)),
            let strokes = bright.rank(Self.strokes), let shadows = dark.rank(Self.strokes), strokes > 0,
            // Without the grain of a table, which takes thin strokes along.
            let print = Raster(pixThresholdToValue(nil, bright.pix, Int32(strokes / 4), 0))
        else { return nil }
        pixMultConstantGray(bright.pix, Self.gain)
        pixMultConstantGray(print.pix, Self.black / Float(strokes))
        let negatives = [bright, print].compactMap { Raster(pixInvert(nil, $0.pix), quartersByFile: quartersByFile) }
        return (negatives, strokes * 2 > shadows * 3)
    }

    /// Print covers some hundredths of a page.
    private static var strokes: Float { 0.98 }
    /// Print in little light has a fourth of the contrast of black on white.
    private static var gain: Float { 4 }
    /// How dark print is made.
    private static var black: Float { 200 }

    /// The value that a share of the pixels do not exceed.
    private func rank(_ share: Float) -> UInt32? {
        var value: UInt32 = 0
        return pixGetRankValue(pix, 8, share, &value) == 0 ? value : nil
    }
}
