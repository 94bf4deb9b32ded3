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
            guard let negative = readNegative(print.negative) else { return read(decoded) }
            if negative.page.isText(Self.fewLetters) { return negative }
            let reading = read(decoded)
            return negative.page.certainLetters > reading.page.certainLetters ? negative : reading
        }
        let reading = read(decoded)
        guard reading.page.certainLetters < Self.fewLetters, let negative = readNegative(print.negative),
            negative.page.certainLetters > 2 * reading.page.certainLetters
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
    /// Whether there are some certain letters, and not many more doubtful ones: noise has both.
    fileprivate func isText(_ fewest: Int) -> Bool {
        let all = lines.reduce(0) { $0 + $1.words.reduce(0) { $0 + $1.text.count } }
        return certainLetters >= fewest && certainLetters * 2 >= all
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

    /// The negative of a card in little light, with even paper and the print as dark as on a receipt; and whether its strokes are
    /// lighter than what is around them.
    fileprivate func lightPrint() -> (negative: Raster, isLight: Bool)? {
        let around = Int32(max(10, longSide / 60))
        guard let light = Raster(pixBlockconvGray(pix, nil, around, around)),
            // A little softer, so that the grain of dark pictures is not made print.
            let soft = Raster(pixBlockconvGray(pix, nil, 1, 1)),
            let bright = Raster(pixSubtractGray(nil, soft.pix, light.pix)),
            let dark = Raster(pixSubtractGray(nil, light.pix, soft.pix)),
            let strokes = bright.rank(Self.strokes), let shadows = dark.rank(Self.strokes)
        else { return nil }
        pixMultConstantGray(bright.pix, Self.gain)
        return Raster(pixInvert(nil, bright.pix), quartersByFile: quartersByFile).map { ($0, strokes > shadows) }
    }

    /// Print in little light has a fourth of the contrast of black on white.
    private static var gain: Float { 4 }
    /// Print covers some hundredths of a page.
    private static var strokes: Float { 0.98 }

    /// The value that a share of the pixels do not exceed.
    private func rank(_ share: Float) -> UInt32? {
        var value: UInt32 = 0
        return pixGetRankValue(pix, 8, share, &value) == 0 ? value : nil
    }
}
