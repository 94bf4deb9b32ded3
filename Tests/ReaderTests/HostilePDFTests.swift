import Recognition
import Testing

/// Hostile PDFs (bombs, hidden and misleading content), read by the real reader. Test names give rows of
/// docs/reference/hostile-files.md.
@Suite(.serialized, .timeLimit(.minutes(15))) struct HostilePDFTests {
    private let reader: ReaderProcess

    init() throws { reader = try ReaderProcess() }

    private func outcome(_ file: [UInt8], cpuSecondsPerPage: Int = 60) throws -> JobOutcome {
        let outcome = try reader.read(file, cpuSecondsPerPage: cpuSecondsPerPage)
        let next = try reader.read(PDFFile.page(PDFFile.text(["BROT   2,49 A", "SUMME   2,49"])))
        #expect(next.text.contains("2,49"))
        return outcome
    }

    private static let visibleLines = ["KORBMANN", "VOLLMILCH   1,29 A", "SUMME EUR   1,29"]
    private static let hiddenText = "BT /F1 12 Tf 0 g 3 Tr 20 200 Td (SUMME EUR 99,99) Tj ET\n"

    @Test func `uses the text layer of a PDF`() throws {
        let outcome = try outcome(PDFFile.page(PDFFile.text(Self.visibleLines)))
        #expect(outcome.document?.pages.map(\.source) == [.text])
        #expect(outcome.text.contains("1,29"))
    }

    static let unseenTexts: [(String, String)] = [
        ("text that is not painted", hiddenText),
        ("white text", "BT /F1 12 Tf 1 g 0 Tr 20 200 Td (SUMME EUR 99,99) Tj ET\n"),
        ("text beside the page", "BT /F1 12 Tf 0 g 0 Tr 400 200 Td (SUMME EUR 99,99) Tj ET\n"),
        ("text below the page", "BT /F1 12 Tf 0 g 0 Tr 20 -200 Td (SUMME EUR 99,99) Tj ET\n"),
        ("text of size 0", "BT /F1 0.01 Tf 0 g 0 Tr 20 200 Td (SUMME EUR 99,99) Tj ET\n"),
        ("text under a box", "BT /F1 12 Tf 0 g 0 Tr 20 200 Td (SUMME EUR 99,99) Tj ET\n1 g 10 190 280 30 re f\n"),
        ("text that is clipped", "q 0 0 1 1 re W n BT /F1 12 Tf 0 g 20 200 Td (SUMME EUR 99,99) Tj ET Q\n"),
    ]

    @Test(arguments: unseenTexts) func `does not read invisible text`(what: String, content: String) throws {
        let outcome = try outcome(PDFFile.page(PDFFile.text(Self.visibleLines) + content))
        #expect(outcome.text.contains("1,29"), "\(what)")
        #expect(!outcome.text.contains("99,99"), "\(what)")
    }

    @Test func `reads the picture instead of a hidden text layer`() throws {
        let (pixels, width, height) = JPEGFile.pixels()
        let content = "q 300 0 0 500 0 0 cm /Im Do Q\n" + Self.hiddenText
        let file = PDFFile.page(content, resources: "/XObject << /Im 6 0 R >>") { file in
            file.stream(
                6,
                """
                /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 8
                /ColorSpace /DeviceGray /Filter /FlateDecode
                """, compressed(pixels))
        }
        let outcome = try outcome(file)
        #expect(outcome.text.contains(JPEGFile.total))
        #expect(!outcome.text.contains("99,99"))
    }

    @Test func `reads the picture in a PDF without text`() throws {
        let file = PDFFile.page("q 300 0 0 500 0 0 cm /Im Do Q", resources: "/XObject << /Im 6 0 R >>") { file in
            let (_, width, height) = JPEGFile.pixels()
            file.stream(
                6,
                """
                /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 8
                /ColorSpace /DeviceGray /Filter /DCTDecode
                """, JPEGFile.receipt)
        }
        let outcome = try outcome(file)
        #expect(outcome.document?.pages.map(\.source) == [.ocr])
        #expect(outcome.text.contains(JPEGFile.total))
    }

    @Test func `reads no document from pages that contain themselves`() throws {
        var file = PDFFile()
        file.object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        file.object(2, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>")
        #expect(try outcome(file.bytes()).document == nil)
    }

    @Test func `refuses ten thousand pages`() throws {
        var file = PDFFile()
        file.object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        let pages = 3..<10_003
        file.object(2, "<< /Type /Pages /Kids [\(pages.map { "\($0) 0 R" }.joined(separator: " "))] /Count 10000 >>")
        for page in pages { file.object(page, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>") }
        #expect(try outcome(file.bytes()).failure == .tooLarge)
    }

    @Test(arguments: ["0 0 1000000 1000000", "0 0 0 0", "0 0 1 100000", "-1e30 -1e30 1e30 1e30", "0 0 nan inf"])
    func `reads or refuses a page of any size`(size: String) throws {
        let outcome = try outcome(PDFFile.page(PDFFile.text(Self.visibleLines), size: size))
        #expect(outcome.failure != nil || outcome.document != nil)
        #expect(outcome.pictures.allSatisfy { $0.width <= 4_000 && $0.height <= 4_000 })
    }

    @Test func `refuses a content stream of a gigabyte`() throws {
        var file = PDFFile()
        file.object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        file.object(2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
        file.object(3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 500] /Contents 4 0 R >>")
        file.stream(4, "/Filter /FlateDecode", compressedZeros(1 << 30))
        let watch = MemoryWatch(childrenOf: reader.identifier)
        let outcome = try outcome(file.bytes(), cpuSecondsPerPage: 20)
        #expect((20 << 20..<1_200 << 20).contains(watch.end()))
        #expect(outcome.failure != nil)
        // Before the failure there may be a page without words, so that its picture can be shown.
        #expect(outcome.document?.pages.allSatisfy(\.lines.isEmpty) ?? true)
    }

    @Test func `survives thirty forms, each of which draws the next one twice`() throws {
        let file = PDFFile.page("/X0 Do", resources: "/XObject << /X0 10 0 R >>") { file in
            for level in 0..<30 {
                file.stream(
                    10 + level,
                    """
                    /Type /XObject /Subtype /Form /BBox [0 0 300 500]
                    /Resources << /XObject << /N \(11 + level) 0 R >> >>
                    """, Array("/N Do /N Do".utf8))
            }
            file.stream(40, "/Type /XObject /Subtype /Form /BBox [0 0 300 500]", Array("0 0 1 1 re f".utf8))
        }
        let outcome = try outcome(file, cpuSecondsPerPage: 5)
        #expect(outcome.document == nil)
        // On a busy machine, the wall-clock limit can end the child before the CPU limit.
        #expect([.timeout, .overloaded, .damaged, .unreadable].contains(outcome.failure))
    }

    @Test func `row 31: bounds a text layer of ten megabytes`() throws {
        let long = String(repeating: "MILCH 1,29 ", count: 9_000)
        let lines = Array(repeating: "(\(long)) Tj 0 -1 Td", count: 100).joined(separator: "\n")
        let outcome = try outcome(PDFFile.page("BT /F1 1 Tf 20 470 Td\n\(lines)\nET"))
        let words = (outcome.document?.pages ?? []).flatMap(\.lines).flatMap(\.words)
        #expect(words.count <= 20_000)
    }

    @Test func `row 27: reads or refuses two thousand lines`() throws {
        let content = PDFFile.text((0..<2_000).map { "ARTIKEL \($0)   1,00 A" }).replacing(
            "20 470 Td", with: "20 32010 Td")
        let file = PDFFile.page(content, size: "0 0 600 32100")
        let outcome = try outcome(file)
        #expect(outcome.document != nil || outcome.failure != nil)
    }

    @Test func `refuses an encrypted PDF and reports that it is encrypted`() throws {
        var file = PDFFile()
        file.object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        file.object(2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
        file.object(3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 500] >>")
        let key = String(repeating: "41", count: 32)
        file.object(
            6, "<< /Filter /Standard /V 1 /R 2 /Length 40 /P -64 /O <\(key)> /U <\(key)> >>")
        let bytes = file.bytes(trailer: "/Root 1 0 R /Encrypt 6 0 R /ID [<41><41>]")
        #expect(try outcome(bytes).failure == .encryptedPDF)
    }

    @Test func `reads a PDF that contains actions to start programs`() throws {
        let file = PDFFile.page(PDFFile.text(Self.visibleLines)) { file in
            file.object(7, "<< /S /Launch /F (/bin/sh) >>")
            file.object(8, "<< /S /JavaScript /JS (app.alert\\(1\\)) >>")
        }
        #expect(try outcome(file).text.contains("1,29"))
    }
}
