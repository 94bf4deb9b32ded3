import CTesseract
import Recognition

/// Letters in words that the engine is sure of: what tells text from text on its head.
private func certainLetters(_ words: [RecognizedWord]) -> Int {
    words.reduce(0) { $0 + ($1.confidence >= 70 && $1.text.count >= 3 ? $1.text.count : 0) }
}

/// Whether the engine is sure of less than a third of what it read.
func isNonsense(_ words: [RecognizedWord]) -> Bool {
    certainLetters(words) * 3 < words.reduce(0) { $0 + $1.text.count }
}

extension PageReader {
    /// Reads the band with the most print both ways round and says whether it reads better upside down.
    func standsOnItsHead(_ clean: Raster) -> Bool {
        let height = min(clean.height, 500)
        let band = clean.cropped(
            to: PixelBox(x: 0, y: clean.busiestRow(of: height), width: clean.width, height: height))
        let before = certainLetters(engine.words(on: band))
        let after = certainLetters(engine.words(on: band.turned(quarters: 2)))
        return after > before
    }
}

extension Raster {
    /// Where the band of `height` rows with the most ink begins.
    fileprivate func busiestRow(of height: Int) -> Int {
        guard self.height > height, let ink = otsu(), let sums = pixCountPixelsByRow(ink.pix, nil) else { return 0 }
        var owned: UnsafeMutablePointer<Numa>? = sums
        defer { numaDestroy(&owned) }
        // Solid areas (logos, shadows) must not win: what counts is the change from row to row.
        var changes: [Float] = []
        var previous: Float = 0
        for row in 0..<numaGetCount(sums) {
            var value: Float = 0
            numaGetFValue(sums, row, &value)
            changes.append(abs(value - previous))
            previous = value
        }
        var window = changes.prefix(height).reduce(0, +)
        var best = (start: 0, sum: window)
        for row in height..<max(height, changes.count) {
            window += changes[row] - changes[row - height]
            if window > best.sum { best = (row - height + 1, window) }
        }
        return best.start
    }
}
