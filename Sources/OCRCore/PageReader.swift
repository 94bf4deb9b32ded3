import CTesseract
import Recognition

/// The result of reading a page: the words, and the upright picture to which their boxes refer.
package struct PageReading {
    /// Lines and codes, in the pixels of `picture`.
    package var page: RecognizedPage
    /// The picture, upright, cropped to the print and straightened. `page` has the same size.
    package var picture: Raster
}

/// Reads files into pages with words. Owns the engines. Not thread-safe.
package final class PageReader {
    let engine: TextEngine
    /// The second engine, which reads lines independently of the first; nil if its files are missing.
    let second: NeuralEngine?
    /// Whether to read faster, even if words may be missed: each line once, by one engine, without codes.
    private(set) var isQuick = false
    /// The CPU time since the page was begun.
    var clock = WorkClock()
    /// The last pages read, kept so that places on them can be read again without preparing the pages again.
    private var recent: [PrintedPage] = []
    /// The maximum number of pages in `recent`. Each takes tens of megabytes.
    private static let recentLimit = 2

    /// Loads the first engine with its German model. One reader is enough for a process.
    ///
    /// - Throws: `ReadingFailure.engine` if Tesseract or its model is missing.
    package init(second: NeuralEngine? = nil) throws(ReadingFailure) {
        engine = try TextEngine()
        self.second = second
    }

    /// Runs the engines once, so that processes forked later share the memory that they allocate.
    package func warmUp() {
        guard
            let white = Raster(
                width: 300, height: 60,
                fill: { rows, stride in
                    for index in 0..<(stride * 60) { rows[index] = 255 }
                    // Draws a few strokes that look like print.
                    for y in 15..<45 { for x in 20..<280 where x % 20 < 4 { rows[y * stride + x] = 0 } }
                    return true
                })
        else { return }
        _ = engine.words(on: white, layout: .line)
        _ = second?.lattice(of: white)
    }

    /// Reads a file of any supported kind. The kind is detected from the content.
    ///
    /// - Parameters:
    ///   - isQuick: Whether to read faster, even if words may be missed, see the property ``isQuick``.
    ///   - progress: Called with the number of pages read so far, from 0, and the number of pages in the file.
    /// - Throws: `ReadingFailure`, also if only one page of a PDF cannot be read.
    package func read(
        _ bytes: [UInt8], isQuick: Bool = false, progress: (_ pages: Int, _ count: Int) -> Void = { _, _ in }
    ) throws(ReadingFailure) -> [PageReading] {
        self.isQuick = isQuick
        if isPDF(bytes) { return try readPDF(bytes, progress: progress) }
        let picture = try decodePicture(bytes)
        progress(0, 1)
        let page = readDarkOrLight(picture)
        progress(1, 1)
        return [page]
    }

    /// Whether the file is a PDF. Other bytes may precede its signature.
    private func isPDF(_ bytes: [UInt8]) -> Bool {
        let mark = Array("%PDF-".utf8)
        let prefix = bytes.prefix(1024)
        return prefix.indices.contains { prefix[$0] == mark[0] && prefix[$0...].starts(with: mark) }
    }

    /// Reads a decoded picture in any orientation.
    func read(_ decoded: Raster) -> PageReading {
        clock = WorkClock()
        let print = upright(decoded)
        let reading = print.reading.picture
        remember(print)
        let lines = readLines(of: print)
        let page = RecognizedPage(
            source: .ocr, width: reading.width, height: reading.height,
            lines: withHeadings(lines.read, of: print), unreadInk: lines.unread,
            codes: isQuick ? [] : codes(on: reading, of: decoded),
            pass: second == nil ? "lines" : "lines, two engines", placement: print.reading.placement)
        return PageReading(page: page, picture: reading)
    }

    private func remember(_ page: PrintedPage) {
        recent.append(page)
        if recent.count > Self.recentLimit { recent.removeFirst() }
    }

    /// The reading picture prepared for the engines, reused from an earlier call if possible.
    func printedPage(of picture: Raster) -> PrintedPage {
        if let known = recent.first(where: { $0.reading.picture === picture }) { return known }
        let page = PrintedPage(ReadingPicture(upright: picture))
        remember(page)
        return page
    }

    /// The codes on the reading picture. If there are none, the codes on the whole decoded picture. Their place on the
    /// page is unknown, so they get the box of the whole page.
    private func codes(on reading: Raster, of decoded: Raster) -> [RecognizedCode] {
        let codes = reading.codes()
        guard codes.isEmpty else { return codes }
        let wholePicture = decoded.fitted(to: ReadingPicture.longSide)
        var wholeCodes = wholePicture.codes()
        // Sharpening separates blurred modules. Only small pictures are sharpened, because that is fast.
        if wholeCodes.isEmpty, wholePicture.longSide <= 1_000, clock.allows(.refinement) {
            wholeCodes = wholePicture.sharpened()?.codes() ?? []
        }
        return wholeCodes.map { code in
            RecognizedCode(
                format: code.format, text: code.text,
                box: PixelBox(x: 0, y: 0, width: reading.width, height: reading.height))
        }
    }
}

extension RecognizedWord {
    /// The word with its box in pixels of a picture that is `factor` times as large.
    func scaled(by factor: Float, inside picture: Raster) -> RecognizedWord {
        var word = self
        let left = max(0, min(picture.width - 1, Int(Float(box.x) * factor)))
        let top = max(0, min(picture.height - 1, Int(Float(box.y) * factor)))
        let right = max(left + 1, min(picture.width, Int((Float(box.maxX) * factor).rounded(.up))))
        let bottom = max(top + 1, min(picture.height, Int((Float(box.maxY) * factor).rounded(.up))))
        word.box = PixelBox(x: left, y: top, width: right - left, height: bottom - top)
        return word
    }
}
