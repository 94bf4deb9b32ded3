extension RecognizedDocument {
    func write(to writer: inout WireWriter) {
        writer.write16(pages.count)
        for page in pages {
            writer.write8(page.source == .ocr ? 0 : 1)
            writer.write32(page.width)
            writer.write32(page.height)
            writer.write(page.pass)
            writer.write32(page.lines.count)
            for line in page.lines {
                writer.write32(line.words.count)
                for word in line.words { word.write(to: &writer) }
            }
            writer.write32(page.codes.count)
            for code in page.codes {
                writer.write(code.format)
                writer.write(code.text)
                writer.write(code.box)
            }
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        let count = try reader.read16()
        pages = []
        for _ in 0..<count { pages.append(try RecognizedPage(from: &reader)) }
    }
}

extension RecognizedPage {
    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let source = try reader.read8()
        guard source <= 1 else { throw .malformed }
        let width = try reader.read32()
        let height = try reader.read32()
        guard width <= 65_536, height <= 65_536 else { throw .malformed }
        let pass = try reader.readText()
        var lines: [RecognizedLine] = []
        for _ in 0..<(try reader.readCount(of: 4)) {
            var words: [RecognizedWord] = []
            for _ in 0..<(try reader.readCount(of: 20)) {
                words.append(try RecognizedWord(from: &reader, width: width, height: height))
            }
            lines.append(RecognizedLine(words: words))
        }
        var codes: [RecognizedCode] = []
        for _ in 0..<(try reader.readCount(of: 20)) {
            codes.append(
                RecognizedCode(
                    format: try reader.readText(), text: try reader.readText(),
                    box: try reader.readBox(width: width, height: height)))
        }
        self.init(
            source: source == 0 ? .ocr : .text, width: width, height: height, lines: lines, codes: codes, pass: pass)
    }
}

extension RecognizedWord {
    func write(to writer: inout WireWriter) {
        writer.write(text)
        writer.write(box)
        writer.write8(confidence)
        writer.write8(alternatives.count)
        for alternative in alternatives.prefix(255) { writer.write(alternative) }
    }

    init(from reader: inout WireReader, width: Int, height: Int) throws(WireError) {
        let text = try reader.readText()
        let box = try reader.readBox(width: width, height: height)
        let confidence = try reader.read8()
        guard confidence <= 100 else { throw .malformed }
        var alternatives: [String] = []
        for _ in 0..<(try reader.read8()) { alternatives.append(try reader.readText()) }
        self.init(text: text, box: box, confidence: confidence, alternatives: alternatives)
    }
}

extension RereadRequest {
    /// By their number on the wire.
    private static let alphabets: [Alphabet] = [.amount, .text, .amountAlone]

    func write(to writer: inout WireWriter) {
        writer.write16(page)
        writer.write(box)
        writer.write8(RereadRequest.alphabets.firstIndex(of: alphabet) ?? 0)
    }

    init(from reader: inout WireReader) throws(WireError) {
        page = try reader.read16()
        box = try reader.readBox(width: 65_536, height: 65_536)
        let kind = try reader.read8()
        guard RereadRequest.alphabets.indices.contains(kind) else { throw .malformed }
        alphabet = RereadRequest.alphabets[kind]
    }
}
