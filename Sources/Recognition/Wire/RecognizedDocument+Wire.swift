/// The format of a document on the wire and in the database.
///
/// Version 1 begins with the number of pages. Later versions begin with `mark`, which is not a possible number of
/// pages, and the version. All versions can be read, because old documents are stored; only the newest is written.
private enum DocumentFormat {
    static let mark = 0xFFFF
    static let version = 3

    /// The minimum size of a word in bytes. Version 1 has no count of costs.
    static func wordBytes(version: Int) -> Int {
        version == 1 ? RecognizedWord.minimumBytes - 1 : RecognizedWord.minimumBytes
    }
}

extension RecognizedDocument {
    func write(to writer: inout WireWriter) {
        writer.write16(DocumentFormat.mark)
        writer.write8(DocumentFormat.version)
        writer.write16(pages.count)
        for page in pages { page.write(to: &writer) }
    }

    init(from reader: inout WireReader) throws(WireError) {
        var version = 1
        var count = try reader.read16()
        if count == DocumentFormat.mark {
            version = try reader.read8()
            guard (2...DocumentFormat.version).contains(version) else { throw .malformed }
            count = try reader.read16()
        }
        pages = []
        for _ in 0..<count { pages.append(try RecognizedPage(from: &reader, version: version)) }
    }
}

extension RecognizedPage {
    fileprivate func write(to writer: inout WireWriter) {
        writer.write8(source == .ocr ? 0 : 1)
        writer.write32(width)
        writer.write32(height)
        writer.write(pass)
        writer.write32(lines.count)
        for line in lines {
            for words in [line.words, line.secondEngineWords] {
                writer.write32(words.count)
                for word in words { word.write(to: &writer) }
            }
        }
        writer.write32(unreadInk.count)
        for box in unreadInk { writer.write(box) }
        writer.write32(codes.count)
        for code in codes {
            writer.write(code.format)
            writer.write(code.text)
            writer.write(code.box)
        }
        let corners = placement.map { [$0.upperLeft, $0.upperRight, $0.lowerLeft] } ?? []
        writer.write8(corners.count)
        for corner in corners {
            writer.writeSigned32(corner.x)
            writer.writeSigned32(corner.y)
        }
    }

    fileprivate init(from reader: inout WireReader, version: Int) throws(WireError) {
        let source = try reader.read8()
        guard source <= 1 else { throw .malformed }
        let width = try reader.read32()
        let height = try reader.read32()
        guard width <= 65_536, height <= 65_536 else { throw .malformed }
        let pass = try reader.readText()
        func words() throws(WireError) -> [RecognizedWord] {
            var words: [RecognizedWord] = []
            for _ in 0..<(try reader.readCount(minimumBytes: DocumentFormat.wordBytes(version: version))) {
                words.append(try RecognizedWord(from: &reader, width: width, height: height, version: version))
            }
            return words
        }
        var lines: [RecognizedLine] = []
        // The counts of `words` and, from version 2 on, of `secondEngineWords`.
        for _ in 0..<(try reader.readCount(minimumBytes: version == 1 ? 4 : 8)) {
            lines.append(RecognizedLine(words: try words(), secondEngineWords: version == 1 ? [] : try words()))
        }
        var unread: [PixelBox] = []
        if version > 1 {
            for _ in 0..<(try reader.readCount(minimumBytes: 16)) {
                unread.append(try reader.readBox(width: width, height: height))
            }
        }
        var codes: [RecognizedCode] = []
        // The lengths of two texts, and a box.
        for _ in 0..<(try reader.readCount(minimumBytes: 20)) {
            codes.append(
                RecognizedCode(
                    format: try reader.readText(), text: try reader.readText(),
                    box: try reader.readBox(width: width, height: height)))
        }
        self.init(
            source: source == 0 ? .ocr : .text, width: width, height: height, lines: lines, unreadInk: unread,
            codes: codes, pass: pass, placement: version > 2 ? try Self.placement(from: &reader) : nil)
    }

    private static func placement(from reader: inout WireReader) throws(WireError) -> PagePlacement? {
        let count = try reader.read8()
        guard count > 0 else { return nil }
        guard count == 3 else { throw .malformed }
        func point() throws(WireError) -> PagePlacement.Point {
            PagePlacement.Point(x: try reader.readSigned32(), y: try reader.readSigned32())
        }
        return PagePlacement(upperLeft: try point(), upperRight: try point(), lowerLeft: try point())
    }
}

extension RecognizedWord {
    /// The minimum size in bytes: length of the text, box, confidence, counts of alternatives and costs.
    static let minimumBytes = 21

    func write(to writer: inout WireWriter) {
        writer.write(text)
        writer.write(box)
        writer.write8(confidence)
        let alternatives = alternatives.prefix(254)
        writer.write8(alternatives.count)
        for alternative in alternatives { writer.write(alternative) }
        let costs = costs.count == alternatives.count + 1 ? costs : []
        writer.write8(costs.count)
        for cost in costs { writer.write16(cost) }
    }

    /// - Parameter version: of the document format; version 1 has no costs.
    init(from reader: inout WireReader, width: Int, height: Int, version: Int = 2) throws(WireError) {
        let text = try reader.readText()
        let box = try reader.readBox(width: width, height: height)
        let confidence = try reader.read8()
        guard confidence <= 100 else { throw .malformed }
        var alternatives: [String] = []
        for _ in 0..<(try reader.read8()) { alternatives.append(try reader.readText()) }
        var costs: [Int] = []
        if version > 1 {
            for _ in 0..<(try reader.read8()) { costs.append(try reader.read16()) }
            // One cost for the text and one for each alternative, or none at all.
            guard costs.isEmpty || costs.count == alternatives.count + 1 else { throw .malformed }
        }
        self.init(text: text, box: box, confidence: confidence, alternatives: alternatives, costs: costs)
    }
}

extension RereadRequest {
    /// The size in bytes: page number, box, alphabet.
    static let minimumBytes = 19
    /// The index of an alphabet is its number on the wire.
    private static let alphabets: [Alphabet] = [.amount, .text, .amountAlone]

    func write(to writer: inout WireWriter) {
        writer.write16(page)
        writer.write(box)
        writer.write8(RereadRequest.alphabets.firstIndex(of: alphabet) ?? 0)
    }

    init(from reader: inout WireReader) throws(WireError) {
        page = try reader.read16()
        box = try reader.readBox(width: 65_536, height: 65_536)
        let number = try reader.read8()
        guard RereadRequest.alphabets.indices.contains(number) else { throw .malformed }
        alphabet = RereadRequest.alphabets[number]
    }
}
