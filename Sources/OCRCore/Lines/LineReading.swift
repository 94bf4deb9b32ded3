import CTesseract
import Recognition

extension PageReader {
    /// Reads a page line by line, at most `limit` of them; a line that is doubtful is read again from another cleaning, the better one counts.
    func readLines(of prepared: ReadingPicture, limit: Int = 400) -> [RecognizedLine] {
        let (clean, factor) = prepared.forEngine()
        guard let letters = clean.letters(), let mask = Raster(pixConvertTo8(letters.pix, 0)),
            let grey = PixelRows(clean), let ink = PixelRows(mask)
        else { return [] }
        let capital = Int(letters.capitalHeight() ?? ReadingPicture.wantedCapital)
        var second: PixelRows?
        var lines: [RecognizedLine] = []
        for line in letters.printedLines(capital: capital).prefix(limit) {
            guard let strip = LineStrip(line, grey: grey, ink: ink, capital: capital) else { continue }
            var words = engine.words(on: strip.picture, layout: .line).map(strip.placed)
            if certainty(of: words) < 85 {
                if second == nil { second = PixelRows(prepared.forEngine(.thickened).0) }
                if let second, let strip = LineStrip(line, grey: second, ink: ink, capital: capital) {
                    let other = engine.words(on: strip.picture, layout: .line).map(strip.placed)
                    if certainty(of: other) > certainty(of: words) { words = other }
                }
            }
            let placed = words.map { $0.scaled(by: 1 / factor, inside: prepared.picture) }
            if !placed.isEmpty { lines.append(RecognizedLine(words: placed)) }
        }
        return lines
    }

    /// Mean confidence weighted by length; 0 without words.
    func certainty(of words: [RecognizedWord]) -> Int {
        let count = words.reduce(0) { $0 + $1.text.count }
        return count == 0 ? 0 : words.reduce(0) { $0 + $1.confidence * $1.text.count } / count
    }
}
