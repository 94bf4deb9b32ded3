import CTesseract
import Recognition

/// A reading picture prepared for the engines: cleaned, with its printed lines. It stores all readings, so that no
/// strip is read twice in the same way. Strips are read to find the orientation, to read the page, and to read places
/// again.
final class PrintedPage {
    let reading: ReadingPicture
    private(set) var lines: [PrintedLine]
    /// The factor by which the prepared picture is larger than the reading picture.
    let factor: Float
    /// The height of capitals in the prepared picture, in pixels.
    let capital: Int
    /// The letters of the prepared picture, 0 for ink; nil if the picture is too small for print.
    private let ink: PixelRows?
    /// The cleaned pictures made so far.
    private var cleanedRows: [Cleaning: PixelRows] = [:]
    /// The readings so far.
    private var cachedWords: [ReadingKey: [RecognizedWord]] = [:]

    /// Identifies a reading: a line, read with a pass by an engine.
    private struct ReadingKey: Hashable {
        let line: Int
        let pass: LinePass
        let engine: ObjectIdentifier
    }

    init(_ reading: ReadingPicture) {
        self.reading = reading
        let (clean, factor) = reading.forEngine()
        self.factor = factor
        guard let letters = PrintedLetters(clean, joined: 4), let mask = Raster(pixConvertTo8(letters.picture.pix, 0))
        else {
            (ink, lines, capital) = (nil, [], Int(ReadingPicture.wantedCapital))
            return
        }
        ink = PixelRows(mask)
        cleanedRows[.normalised] = PixelRows(clean)
        capital = Int(letters.capital ?? ReadingPicture.wantedCapital)
        lines = []
        lines = printedLines(of: letters.picture)
    }

    private func printedLines(of letters: Raster) -> [PrintedLine] {
        letters.printedLines(capital: capital) { [bend = reading.bend, factor] x, y in
            bend.map { $0.drop(x: Double(x) / Double(factor), y: Double(y) / Double(factor)) * Double(factor) } ?? 0
        }
    }

    /// Adds the lines that were omitted because their ink is pale or because their letters have another size. They are
    /// marked as doubtful, because wrinkles and print on the back are equally pale.
    func addDoubtfulLines() {
        guard !lines.isEmpty, !lines.contains(where: \.isDoubtful), let picture = rows(.normalised)?.picture,
            let remainingInk = picture.inkOutside(lines, capital: capital)
        else { return }
        let doubtfulLines = printedLines(of: remainingInk).filter { $0.mayBeText(among: lines, capital: capital) }
            .sorted { $0.wordWidth(capital: capital) > $1.wordWidth(capital: capital) }.prefix(
                Self.maximumDoubtfulLines)
        guard !doubtfulLines.isEmpty else { return }
        // The lines with their present indices; -1 for new ones.
        let allLines = (lines.indices.map { (lines[$0], $0) } + doubtfulLines.map { ($0.markedDoubtful, -1) }).sorted {
            $0.0.doubleMidY < $1.0.doubleMidY
        }
        lines = allLines.map(\.0)
        let newIndices = Dictionary(
            uniqueKeysWithValues: allLines.indices.filter { allLines[$0].1 >= 0 }.map { (allLines[$0].1, $0) })
        cachedWords = Dictionary(
            uniqueKeysWithValues: cachedWords.compactMap { key, words in
                newIndices[key.line].map { (ReadingKey(line: $0, pass: key.pass, engine: key.engine), words) }
            })
    }

    /// The maximum number of doubtful lines that are added. A page with more has a grained background.
    private static let maximumDoubtfulLines = 16

    /// The same page upside down.
    init(upsideDown page: PrintedPage) {
        reading = page.reading.upsideDown()
        factor = page.factor
        capital = page.capital
        ink = page.ink?.upsideDown()
        cleanedRows = page.cleanedRows.mapValues { $0.upsideDown() }
        lines =
            page.ink.map { ink in page.lines.reversed().map { $0.upsideDown(width: ink.width, height: ink.height) } }
            ?? []
    }

    /// The words of a line in pixels of the prepared picture, read with one pass.
    func words(ofLine index: Int, _ pass: LinePass, by engine: any LineEngine) -> [RecognizedWord] {
        let key = ReadingKey(line: index, pass: pass, engine: ObjectIdentifier(engine))
        if let words = cachedWords[key] { return words }
        guard let ink, let strip = strip(ofLine: index, pass) else { return [] }
        let words = engine.words(on: strip).map { $0.withMarkedZeros(ink: ink, capital: capital) }
        cachedWords[key] = words
        return words
    }

    /// - Parameter place: Limits the strip to the columns of this box; nil for the whole line.
    func strip(ofLine index: Int, _ pass: LinePass, within place: PixelBox? = nil) -> LineStrip? {
        guard let rows = rows(pass.cleaning), let ink else { return nil }
        let line = place.map { lines[index].part(from: $0.x, to: $0.maxX) } ?? lines[index]
        return LineStrip(line, pass: pass, grey: rows, ink: ink, capital: capital, others: neighbours(ofLine: index))
    }

    /// The prepared picture, cleaned in one way.
    private func rows(_ cleaning: Cleaning) -> PixelRows? {
        if let rows = cleanedRows[cleaning] { return rows }
        let rows = PixelRows(reading.forEngine(cleaning).picture)
        cleanedRows[cleaning] = rows
        return rows
    }

    /// The area of a box of the prepared picture, with a blank margin but no other change.
    func cut(_ place: PixelBox) -> Raster? {
        guard let rows = rows(.normalised) else { return nil }
        let margin = capital / 3
        let (left, top) = (max(0, place.x - margin), max(0, place.y - margin))
        let (right, bottom) = (min(rows.width, place.maxX + margin), min(rows.height, place.maxY + margin))
        guard left < right, top < bottom else { return nil }
        return Raster(width: right - left, height: bottom - top) { pixels, stride in
            for y in top..<bottom { for x in left..<right { pixels[(y - top) * stride + x - left] = rows[x, y] } }
            return true
        }
    }

    /// Whether a box of the prepared picture has at least as much ink as a digit, including pale ink.
    func hasInk(in place: PixelBox) -> Bool {
        guard let rows = rows(.normalised) else { return false }
        var count = 0
        for y in max(0, place.y)..<max(0, min(rows.height, place.maxY)) where place.y < rows.height {
            for x in max(0, place.x)..<max(0, min(rows.width, place.maxX)) where rows[x, y] < Self.paleInk {
                count += 1
            }
        }
        return count >= 3 * capital
    }

    /// Pixels darker than this may be strokes; the paper of a prepared picture has 235.
    private static let paleInk = 205

    /// The pieces of the lines above and below.
    private func neighbours(ofLine index: Int) -> [PixelBox] {
        // Name and price of a row may be two lines.
        let near = max(0, index - 4)..<min(lines.count, index + 5)
        // Ignores short lines: the comma of a total in tall letters is so low that it becomes a separate line.
        return near.filter { $0 != index && !lines[$0].isDoubtful && lines[$0].right - lines[$0].left >= 2 * capital }
            .flatMap {
                lines[$0].pieces
            }
    }

    /// The word with its box in pixels of the reading picture.
    func onReadingPicture(_ word: RecognizedWord) -> RecognizedWord {
        word.scaled(by: 1 / factor, inside: reading.picture)
    }

    /// The box in pixels of the prepared picture.
    func onPreparedPicture(_ place: PixelBox) -> PixelBox {
        func scaled(_ value: Int) -> Int { Int(Float(value) * factor) }
        return PixelBox(
            x: scaled(place.x), y: scaled(place.y), width: scaled(place.width), height: scaled(place.height))
    }

    /// The box in pixels of the reading picture.
    func onReadingPicture(_ place: PixelBox) -> PixelBox {
        onReadingPicture(RecognizedWord(text: "", box: place, confidence: 0)).box
    }

    /// The total width of the words, in heights of capitals.
    var textWidth: Int { lines.reduce(0) { $0 + $1.wordWidth(capital: capital) } / max(1, capital) }

    /// The lines with the greatest width of words, at most `count`.
    func fullestLines(_ count: Int) -> [Int] {
        let weights = lines.map { $0.wordWidth(capital: capital) }
        return Array(lines.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }.prefix(count))
    }
}
