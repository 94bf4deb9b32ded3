import CLinux
import CTesseract
import Glibc
import Recognition

extension PageReader {
    /// The maximum number of pages. Longer documents are refused: they are not receipts.
    private static let maximumPages = ReadingJob.maximumPages

    /// The pages of a PDF. The text layer is used if the page has one and the rendered page agrees with it. Otherwise
    /// the rendered page is recognised.
    func readPDF(
        _ bytes: [UInt8], progress: (_ pages: Int, _ count: Int) -> Void
    ) throws(ReadingFailure) -> [PageReading] {
        // 1 is MFD_CLOEXEC.
        let document = memfd_create("document", 1)
        guard document >= 0 else { throw .engine }
        defer { close(document) }
        try write(bytes, to: document)
        let file = "/proc/self/fd/0"
        let text = try PDFTool.run(
            ["pdftotext", "-bbox-layout", "-enc", "UTF-8", "-l", "\(Self.maximumPages + 1)", file, "-"],
            document: document, limit: 16 << 20)
        guard text.status == 0 else { throw looksEncrypted(bytes) ? .encryptedPDF : .damaged }
        let layers = parsePageTexts(String(decoding: text.output, as: UTF8.self))
        guard layers.count <= Self.maximumPages else { throw .tooLarge }
        var pages: [PageReading] = []
        progress(0, layers.count)
        for (index, layer) in layers.enumerated() {
            let picture = try render(page: index + 1, of: document, layer: layer)
            let page = words(of: layer, on: picture)
            let isConfirmed = !page.lines.isEmpty && confirms(page, on: picture)
            pages.append(isConfirmed ? PageReading(page: page, picture: picture) : read(picture))
            progress(pages.count, layers.count)
        }
        guard !pages.isEmpty else { throw .damaged }
        return pages
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(ReadingFailure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .engine }
            sent += count
        }
    }

    /// Whether the bytes contain `/Encrypt`, as the trailer or a cross-reference stream of an encrypted document does.
    private func looksEncrypted(_ bytes: [UInt8]) -> Bool {
        let word = Array("/Encrypt".utf8)
        guard bytes.count > word.count else { return false }
        return (0..<(bytes.count - word.count)).contains { at in
            bytes[at] == word[0] && bytes[at..<(at + word.count)].elementsEqual(word)
        }
    }

    /// Renders a page, counted from 1, in grey.
    private func render(page: Int, of document: Int32, layer: PageText) throws(ReadingFailure) -> Raster {
        let side = max(layer.width, layer.height)
        guard side >= 10, min(layer.width, layer.height) >= 2 else { throw .damaged }
        // 300 dots per inch. Fewer for long strips, because a picture larger than the reading picture is of no use.
        let resolution = max(20, min(300, Int(Float(ReadingPicture.longSide) * 72 / side)))
        let rendered = try PDFTool.run(
            [
                "pdftoppm", "-r", "\(resolution)", "-gray", "-f", "\(page)", "-l", "\(page)", "-cropbox",
                "/proc/self/fd/0",
            ],
            document: document, limit: 40 << 20)
        guard rendered.status == 0 else { throw .damaged }
        guard let picture = Raster(pgm: rendered.output) else { throw .damaged }
        return picture
    }

    /// The words of the text layer, without invisible words: those at places where the rendered page is blank.
    private func words(of layer: PageText, on picture: Raster) -> RecognizedPage {
        let across = Float(picture.width) / max(1, layer.width)
        let down = Float(picture.height) / max(1, layer.height)
        let words = layer.words.compactMap { word -> RecognizedWord? in
            let left = max(0, min(picture.width - 1, Int(word.left * across)))
            let top = max(0, min(picture.height - 1, Int(word.top * down)))
            let right = max(left + 1, min(picture.width, Int(word.right * across)))
            let bottom = max(top + 1, min(picture.height, Int(word.bottom * down)))
            let box = PixelBox(x: left, y: top, width: right - left, height: bottom - top)
            guard picture.showsSomething(in: box) else { return nil }
            return RecognizedWord(text: word.text, box: box, confidence: 100)
        }
        return RecognizedPage(
            source: .text, width: picture.width, height: picture.height, lines: assembleLines(words),
            codes: words.isEmpty ? [] : picture.codes(), pass: "text layer"
        )
    }
}

extension Raster {
    /// Reads a binary grey picture as written by `pdftoppm`: `P5`, width, height, 255, pixels.
    convenience init?(pgm bytes: [UInt8]) {
        var at = 2
        var numbers: [Int] = []
        guard bytes.count > 10, bytes[0] == 0x50, bytes[1] == 0x35 else { return nil }
        while numbers.count < 3, at < min(bytes.count, 200) {
            let end = bytes[at...].prefix(20).firstIndex { !(0x30...0x39).contains($0) } ?? at
            if end > at, let value = Int(String(decoding: bytes[at..<end], as: UTF8.self)) { numbers.append(value) }
            at = max(end, at) + 1
        }
        guard numbers.count == 3, PictureLimits.allow(width: numbers[0], height: numbers[1]), numbers[2] == 255,
            bytes.count - at >= numbers[0] * numbers[1]
        else { return nil }
        self.init(width: numbers[0], height: numbers[1]) { rows, stride in
            for y in 0..<numbers[1] {
                for x in 0..<numbers[0] { rows[y * stride + x] = bytes[at + y * numbers[0] + x] }
            }
            return true
        }
    }

    /// Whether the pixels inside the box differ in brightness.
    func showsSomething(in box: PixelBox) -> Bool {
        let part = cropped(to: box)
        var darkest: Int32 = 0
        var brightest: Int32 = 0
        guard pixGetExtremeValue(part.pix, 1, Int32(L_SELECT_MIN), nil, nil, nil, &darkest) == 0,
            pixGetExtremeValue(part.pix, 1, Int32(L_SELECT_MAX), nil, nil, nil, &brightest) == 0
        else { return false }
        return brightest - darkest > 40
    }
}
