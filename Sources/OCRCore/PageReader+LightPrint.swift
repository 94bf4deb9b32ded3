import CTesseract
import Recognition

extension PageReader {
    /// With fewer letters than this, a dark picture may have light print.
    private static let fewLetters = 60

    /// Reads a decoded picture as it is, and as a negative when it is dark and hardly anything was read.
    func readDarkOrLight(_ decoded: Raster) -> PageReading {
        let reading = read(decoded)
        guard reading.page.certainLetters < Self.fewLetters, decoded.isDark, let negative = decoded.negative() else {
            return reading
        }
        var other = read(negative)
        guard other.page.certainLetters > 2 * reading.page.certainLetters,
            let picture = other.picture.negative()
        else { return reading }
        other.picture = picture
        return other
    }
}

extension RecognizedPage {
    /// The letters of words that the engine is certain of.
    fileprivate var certainLetters: Int {
        lines.reduce(0) { sum, line in
            sum + line.words.filter { $0.confidence >= 60 && $0.text.count > 2 }.reduce(0) { $0 + $1.text.count }
        }
    }
}

extension Raster {
    /// Whether a third of a grey picture is dark: a dark list may lie on a light table.
    fileprivate var isDark: Bool {
        var value: UInt32 = 255
        return pixGetRankValue(pix, 8, 0.33, &value) == 0 && value < 100
    }

    fileprivate func negative() -> Raster? { Raster(pixInvert(nil, pix), quartersByFile: quartersByFile) }
}
