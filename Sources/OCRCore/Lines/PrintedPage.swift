import CTesseract
import Recognition

/// A reading picture prepared for the engines: cleaned, its printed lines found. Readings are kept, so that finding the
/// orientation, reading and reading again share their work.
final class PrintedPage {
    let reading: ReadingPicture
    let lines: [PrintedLine]
    /// By how much the prepared picture is larger than the reading picture.
    let factor: Float
    /// Height of capitals in the prepared picture, in pixels.
    let capital: Int
    private let ink: PixelRows?
    private var cleaned: [Cleaning: PixelRows] = [:]
    private var known: [Place: [RecognizedWord]] = [:]

    private struct Place: Hashable {
        let line: Int
        let pass: LinePass
        let engine: ObjectIdentifier
    }

    init(_ reading: ReadingPicture) {
        self.reading = reading
        let (clean, factor) = reading.forEngine()
        self.factor = factor
        guard let letters = clean.letters(joined: 4), let mask = Raster(pixConvertTo8(letters.pix, 0)) else {
            (ink, lines, capital) = (nil, [], Int(ReadingPicture.wantedCapital))
            return
        }
        ink = PixelRows(mask)
        cleaned[.normalised] = PixelRows(clean)
        capital = Int(letters.capitalHeight() ?? ReadingPicture.wantedCapital)
        lines = letters.printedLines(capital: capital) { [bend = reading.bend] x, y in
            bend.map { $0.drop(x: Double(x) / Double(factor), y: Double(y) / Double(factor)) * Double(factor) } ?? 0
        }
    }

    /// The same page upside down.
    init(upsideDown page: PrintedPage) {
        reading = page.reading.upsideDown()
        factor = page.factor
        capital = page.capital
        ink = page.ink?.upsideDown()
        cleaned = page.cleaned.mapValues { $0.upsideDown() }
        lines =
            page.ink.map { ink in page.lines.reversed().map { $0.upsideDown(width: ink.width, height: ink.height) } }
            ?? []
    }

    /// The words of a line in the pixels of the prepared picture, read in one way.
    func words(ofLine index: Int, _ pass: LinePass, by engine: any LineEngine) -> [RecognizedWord] {
        let place = Place(line: index, pass: pass, engine: ObjectIdentifier(engine))
        if let words = known[place] { return words }
        guard let ink, let strip = strip(ofLine: index, pass) else { return [] }
        let words = engine.words(on: strip).map { $0.withMarkedZeros(ink: ink, capital: capital) }
        known[place] = words
        return words
    }

    func strip(ofLine index: Int, _ pass: LinePass) -> LineStrip? {
        let rows = cleaned[pass.cleaning] ?? PixelRows(reading.forEngine(pass.cleaning).0)
        cleaned[pass.cleaning] = rows
        guard let rows, let ink else { return nil }
        return LineStrip(
            lines[index], pass: pass, grey: rows, ink: ink, capital: capital, others: neighbours(ofLine: index))
    }

    /// The pieces of the lines above and below.
    private func neighbours(ofLine index: Int) -> [PixelBox] {
        // A row whose name and price were not joined counts as two.
        let near = max(0, index - 4)..<min(lines.count, index + 5)
        // The comma of a total in tall letters is so low that it becomes a line of its own; it is ignored.
        return near.filter { $0 != index && lines[$0].right - lines[$0].left >= 2 * capital }.flatMap {
            lines[$0].pieces
        }
    }

    /// The same word with its box in the pixels of the reading picture.
    func onReadingPicture(_ word: RecognizedWord) -> RecognizedWord {
        word.scaled(by: 1 / factor, inside: reading.picture)
    }

    /// The same place in the pixels of the reading picture.
    func onReadingPicture(_ place: PixelBox) -> PixelBox {
        onReadingPicture(RecognizedWord(text: "", box: place, confidence: 0)).box
    }

    /// The lines with the most words of a letter's height, at most `count`.
    func fullestLines(_ count: Int) -> [Int] {
        let weights = lines.map { $0.wordWidth(capital: capital) }
        return Array(lines.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }.prefix(count))
    }
}
