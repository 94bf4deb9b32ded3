import CTesseract
import Recognition

extension PageReader {
    /// Reads a page line by line, at most `limit` of them; what is doubtful is read again in other ways.
    func readLines(of prepared: ReadingPicture, limit: Int = 400, passes: [LinePass] = LinePass.all)
        -> [RecognizedLine]
    {
        let (clean, factor) = prepared.forEngine()
        guard let letters = clean.letters(), let mask = Raster(pixConvertTo8(letters.pix, 0)),
            let grey = PixelRows(clean), let ink = PixelRows(mask)
        else { return [] }
        let capital = Int(letters.capitalHeight() ?? ReadingPicture.wantedCapital)
        var cleaned: [Cleaning: PixelRows] = [.normalised: grey]
        func words(of line: PrintedLine, _ pass: LinePass) -> [RecognizedWord] {
            let rows = cleaned[pass.cleaning] ?? PixelRows(prepared.forEngine(pass.cleaning).0)
            cleaned[pass.cleaning] = rows
            guard let rows, let strip = LineStrip(line, pass: pass, grey: rows, ink: ink, capital: capital) else {
                return []
            }
            return engine.words(on: strip.picture, layout: .line).map(strip.placed)
        }
        var lines: [RecognizedLine] = []
        for line in letters.printedLines(capital: capital).prefix(limit) {
            var readings = LineReadings()
            for pass in passes where readings.wantAnother { readings.add(words(of: line, pass)) }
            let placed = readings.merged().map { $0.scaled(by: 1 / factor, inside: prepared.picture) }
            if !placed.isEmpty { lines.append(RecognizedLine(words: placed)) }
        }
        return lines
    }
}
