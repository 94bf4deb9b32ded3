import DocumentParsing
import Domain
import Recognition

@testable import OCRCore

extension FuzzCommand {
    /// Functions that read untrusted bytes, except those that decode pixels, which run in a confined process.
    static let readingTargets: [String: @Sendable ([UInt8]) -> Void] = [
        "inspection": inspection,
        "grammar": grammar,
        "recognised-pages": recognisedPages,
        "fiscal": fiscal,
        "pdftext": pdfText,
        "exif": exif,
        "facts": facts,
        "reader-answers": readerAnswers,
        "reader-requests": readerRequests,
        "kept-words": keptWords,
        "network-output": networkOutput,
    ]

    @Sendable private static func inspection(_ bytes: [UInt8]) {
        guard let whole = try? ImageInspection.inspect(bytes, fileBytes: bytes.count) else { return }
        check(
            whole.kind == .pdf || (whole.width > 0 && whole.height > 0 && whole.width * whole.height <= 64_000_000),
            "an accepted picture has a size within the limits")
        check(
            (try? ImageInspection.inspect(bytes, fileBytes: 26 << 20)) == nil, "a too large file is never accepted")
    }

    private static let today = LocalDate(year: 2026, month: 11, day: 21)

    /// Parses text as recognised words, each at the position of its characters. A form feed begins another page.
    @Sendable private static func grammar(_ bytes: [UInt8]) {
        guard let today else { return }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: "\u{C}", maxSplits: 3).map(page)
        let parser = ReceiptParser(today: today)
        let document = RecognizedDocument(pages: pages)
        let receipt = parser.parse(document)
        check(receipt.rereads.count <= ReceiptParser.maximumRereads, "no more rereads are requested than allowed")
        check(
            receipt.items.allSatisfy { $0.name.page < max(1, pages.count) }, "each line is on an existing page"
        )
        // Parsing with empty answers must not trap either.
        let answers = receipt.rereads.map { RereadAnswer(request: $0, readings: []) }
        _ = parser.parse(document, rereads: answers)
        _ = PersonalDetailFinder().details(in: document, sparing: receipt)
        _ = ReadingReport.json(receipt, file: "x", files: ["x"], centiseconds: 1)
    }

    /// Parses any pages that the reader may send: with words at any position, without size or text, and with figures of
    /// any size.
    @Sendable private static func recognisedPages(_ bytes: [UInt8]) {
        guard let today else { return }
        var fuzzed = FuzzedPages(bytes)
        let document = fuzzed.document()
        let parser = ReceiptParser(today: today)
        let first = parser.parse(document)
        let receipt = parser.parse(document, rereads: fuzzed.answers(first.rereads))
        check(receipt.rereads.count <= ReceiptParser.maximumRereads, "no more rereads are requested than allowed")
        check(receipt.state != .proven || receipt.total != nil, "a proven receipt has a total")
        _ = PersonalDetailFinder().details(in: document, sparing: receipt)
        _ = ReadingReport.json(receipt, file: "x", files: ["x"], centiseconds: 1)
    }

    private static func page(_ text: Substring) -> RecognizedPage {
        let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = rows.prefix(400).enumerated().map { y, row in
            var x = 0
            let words = row.split(separator: " ", omittingEmptySubsequences: false).compactMap { text in
                defer { x += (text.count + 1) * 20 }
                return text.isEmpty
                    ? nil
                    : RecognizedWord(
                        text: String(text), box: PixelBox(x: x, y: y * 40, width: text.count * 20, height: 30),
                        confidence: 50 + (x + y) % 50)
            }
            return RecognizedLine(words: words)
        }
        return RecognizedPage(source: .ocr, width: 4_000, height: 16_000, lines: lines)
    }

    @Sendable private static func fiscal(_ bytes: [UInt8]) {
        let payload = String(decoding: bytes, as: UTF8.self)
        guard let code = FiscalCode(payload: payload) else { return }
        check((5...20).contains(code.fieldCount), "a fiscal code has 5 to 20 fields")
    }

    @Sendable private static func pdfText(_ bytes: [UInt8]) {
        let pages = parsePageTexts(String(decoding: bytes, as: UTF8.self), maximumWords: 100)
        let words = pages.flatMap(\.words)
        check(words.count <= 100, "no more words are read than allowed")
        check(
            words.allSatisfy { $0.right > $0.left && $0.bottom > $0.top && $0.left.isFinite && $0.bottom.isFinite },
            "each word has a size")
        _ = assembleLines(
            words.map {
                RecognizedWord(
                    text: $0.text, box: PixelBox(x: Int($0.left), y: Int($0.top), width: 1, height: 1), confidence: 100)
            })
    }

    @Sendable private static func exif(_ bytes: [UInt8]) {
        let orientation = bytes.withUnsafeBytes { $0.count < 4 ? 1 : exifOrientation(jpeg: $0) }
        check((1...8).contains(orientation), "an orientation is between 1 and 8")
    }

    @Sendable private static func facts(_ bytes: [UInt8]) {
        _ = try? ChainFacts(parsing: String(decoding: bytes, as: UTF8.self))
    }

    @Sendable private static func readerAnswers(_ bytes: [UInt8]) {
        var conversation = ReaderConversation(id: 1, cpuSecondsPerPage: 5, files: [[1]])
        while conversation.nextToSend() != nil {}
        _ = try? conversation.receive(bytes)
    }

    /// Decodes a stored document in any version of its format.
    @Sendable private static func keptWords(_ bytes: [UInt8]) {
        guard let document = try? RecognizedDocument(wireBytes: bytes) else { return }
        let secondBytes = document.wireBytes
        check(
            (try? RecognizedDocument(wireBytes: secondBytes))?.wireBytes == secondBytes,
            "encoding a decoded document again gives the same bytes")
        for page in document.pages {
            for word in page.lines.flatMap({ $0.words + $0.secondEngineWords }) {
                check(word.box.maxX <= page.width && word.box.maxY <= page.height, "each word is on its page")
                let isCosted = word.costs.count == word.alternatives.count + 1
                check(word.costs.isEmpty || isCosted, "each reading has a cost")
            }
        }
    }

    /// Searches for readings in the output of a network. The model may be damaged, so any output is possible.
    ///
    /// The input is a list of characters up to the first zero byte, followed by probabilities of four bytes each.
    @Sendable private static func networkOutput(_ bytes: [UInt8]) {
        let list = bytes.prefix { $0 != 0 }
        guard let alphabet = NetworkAlphabet(list: String(decoding: list.prefix(2_000), as: UTF8.self)) else { return }
        let rest = bytes.dropFirst(list.count + 1)
        let floats = stride(from: rest.startIndex, to: rest.endIndex - 3, by: 4).map { at in
            Float(bitPattern: rest[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        let steps = min(60, floats.count / alphabet.outputCount)
        guard steps > 0 else { return }
        let lattice = CharacterLattice(alphabet: alphabet, steps: steps, probabilities: floats)
        check(lattice.likeliestPath().allSatisfy { $0.steps.upperBound <= steps }, "characters are within the strip")
        let texts = ReadingSearch(lattice, AnyText(), width: 8).readings(in: 0..<steps, count: 6)
        let amounts = ReadingSearch(lattice, AmountPattern(), width: 24).readings(in: 0..<steps, count: 6)
        check(texts.count <= 6 && amounts.count <= 6, "no more readings are returned than requested")
        check((texts + amounts).allSatisfy { (0...65_535).contains($0.cost) }, "each reading has a cost")
        check(amounts.allSatisfy { $0.text.contains { "0"..."9" ~= $0 } }, "an amount has digits")
    }

    @Sendable private static func readerRequests(_ bytes: [UInt8]) {
        var decoder = FrameDecoder()
        var assembler = MessageAssembler(limit: 1 << 16)
        decoder.append(bytes)
        while let frame = try? decoder.next() {
            guard let message = try? assembler.take(frame) else { continue }
            _ = try? ReaderRequest(kind: message.kind, payload: message.payload)
        }
    }
}
