import Foundation
import Recognition
import Testing

/// Recognised documents that are stored as bytes or as JSON, also by earlier versions.
@Suite(.timeLimit(.minutes(5))) struct StoredDocumentTests {
    /// A document in version 1: a page of 900 × 2000 with one line of one word, and a code.
    static let firstVersion: [UInt8] =
        [0, 1, 0, 0, 0, 3, 0x84, 0, 0, 7, 0xD0, 0, 5] + Array("lines".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 0, 4]
        + Array("1,49".utf8) + [0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 80, 0, 0, 0, 30, 91, 1, 0, 4] + Array("1,79".utf8)
        + [0, 0, 0, 1, 0, 3] + Array("ITF".utf8) + [0, 2] + Array("08".utf8)
        + [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]

    @Test func `reads a document that was stored in version 1`() throws {
        let word = RecognizedWord(
            text: "1,49", box: PixelBox(x: 7, y: 8, width: 80, height: 30), confidence: 91, alternatives: ["1,79"])
        let code = RecognizedCode(format: "ITF", text: "08", box: PixelBox(x: 1, y: 2, width: 3, height: 4))
        let page = RecognizedPage(
            source: .ocr, width: 900, height: 2000, lines: [RecognizedLine(words: [word])], codes: [code], pass: "lines"
        )
        let document = try RecognizedDocument(wireBytes: Self.firstVersion)
        #expect(document == RecognizedDocument(pages: [page]))
        #expect(try RecognizedDocument(wireBytes: document.wireBytes) == document)
    }

    @Test func `refuses a document of an unknown version`() {
        #expect(throws: WireError.malformed) { try RecognizedDocument(wireBytes: [0xFF, 0xFF, 4, 0, 0]) }
        #expect(throws: Never.self) { try RecognizedDocument(wireBytes: [0xFF, 0xFF, 2, 0, 0]) }
        #expect(throws: Never.self) { try RecognizedDocument(wireBytes: [0xFF, 0xFF, 3, 0, 0]) }
    }

    @Test func `keeps the position of a page on its file's picture, even if the page is rotated`() throws {
        let placement = PagePlacement(
            upperLeft: .init(x: -1_200, y: 40), upperRight: .init(x: 990_000, y: -40),
            lowerLeft: .init(x: 1_300, y: 1_000_200))
        let page = RecognizedPage(source: .ocr, width: 9, height: 9, lines: [], placement: placement)
        let decodedDocument = try RecognizedDocument(wireBytes: RecognizedDocument(pages: [page]).wireBytes)
        #expect(decodedDocument.pages[0].placement == placement)
        #expect(placement.upsideDown.upsideDown == placement)
        #expect(PagePlacement.whole.upsideDown.upperLeft == .init(x: 1_000_000, y: 1_000_000))
    }

    @Test func `neither writes nor accepts a wrong number of costs`() throws {
        var document = WireTests.document
        document.pages[0].lines[0].secondEngineWords[0].costs = [3, 70]
        let decodedDocument = try RecognizedDocument(wireBytes: document.wireBytes)
        #expect(decodedDocument.pages[0].lines[0].secondEngineWords[0].costs.isEmpty)
        // The number of costs of the last word, and its three costs of two bytes.
        var bytes = WireTests.document.wireBytes
        let count = try #require(
            bytes.indices.dropLast(7).last { bytes[$0..<($0 + 7)] == [3, 0, 3, 0, 70, 0xFF, 0xFF] })
        bytes[count] = 2
        #expect(throws: WireError.malformed) { try RecognizedDocument(wireBytes: bytes) }
    }

    @Test func `reads documents that were stored as JSON before the second engine existed`() throws {
        let json = """
            {"pages":[{"source":"ocr","width":900,"height":2000,"codes":[],"pass":"lines","lines":[{"words":[
            {"text":"Brot","box":{"x":1,"y":2,"width":3,"height":4},"confidence":80,"alternatives":[]}]}]}]}
            """
        let page = try JSONDecoder().decode(RecognizedDocument.self, from: Data(json.utf8)).pages[0]
        #expect(
            page.unreadInk.isEmpty && page.lines[0].secondEngineWords.isEmpty && page.lines[0].words[0].costs.isEmpty)
        let data = try JSONEncoder().encode(WireTests.document)
        #expect(try JSONDecoder().decode(RecognizedDocument.self, from: data) == WireTests.document)
    }

    @Test func `reads the second engine's words under their stored name`() throws {
        let json = """
            {"words":[],"witness":[
            {"text":"Brot","box":{"x":1,"y":2,"width":3,"height":4},"confidence":80,"alternatives":[]}]}
            """
        let line = try JSONDecoder().decode(RecognizedLine.self, from: Data(json.utf8))
        #expect(line.secondEngineWords.map(\.text) == ["Brot"])
    }

    @Test func `stores the second engine's words and readings under the name of earlier versions`() throws {
        let word = RecognizedWord(text: "1,99", box: PixelBox(x: 1, y: 2, width: 3, height: 4), confidence: 80)
        let line = try JSONEncoder().encode(RecognizedLine(words: [], secondEngineWords: [word]))
        let answer = RereadAnswer(request: WireTests.request, readings: [], secondEngineReadings: [word])
        let encodedAnswer = try JSONEncoder().encode(answer)
        for json in [line, encodedAnswer] {
            #expect(String(decoding: json, as: UTF8.self).contains(#""witness":[{"#))
        }
        #expect(try JSONDecoder().decode(RereadAnswer.self, from: encodedAnswer) == answer)
    }
}
