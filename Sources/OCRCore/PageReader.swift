import CTesseract
import Recognition

/// One page that was read: the words, and the upright picture their boxes lie on.
package struct PageReading {
    /// Lines and codes, in the pixels of `picture`.
    package var page: RecognizedPage
    /// Upright, cropped to the print and straightened; as large as `page` says.
    package var picture: Raster
}

/// Files → pages with words; holds the engine. One thread.
package final class PageReader {
    let engine: TextEngine
    /// The last pages read: places on them are read again without preparing them anew.
    private var recent: [PrintedPage] = []
    /// Pages ready for the engine take some ten megabytes each.
    private static let remembered = 2

    /// Loads the engine with its model for German; one is enough for a process.
    ///
    /// - Throws: `ReadingFailure.engine` when Tesseract or its model is not there.
    package init() throws(ReadingFailure) {
        engine = try TextEngine()
    }

    /// Lets the engine run once, so that every child starts with its memory in place.
    package func warmUp() {
        guard
            let white = Raster(
                width: 300, height: 60,
                fill: { rows, stride in
                    for at in 0..<(stride * 60) { rows[at] = 255 }
                    // A few strokes that look like print.
                    for y in 15..<45 { for x in 20..<280 where x % 20 < 4 { rows[y * stride + x] = 0 } }
                    return true
                })
        else { return }
        _ = engine.words(on: white, layout: .line)
    }

    /// Reads one file; its kind is told by its content.
    ///
    /// - Parameter progress: told how many pages of the file are read, from 0, and how many it has.
    /// - Throws: `ReadingFailure`; of a PDF with one bad page, nothing is read.
    package func read(
        _ bytes: [UInt8], progress: (_ pages: Int, _ count: Int) -> Void = { _, _ in }
    ) throws(ReadingFailure) -> [PageReading] {
        if isPDF(bytes) { return try readPDF(bytes, progress: progress) }
        let picture = try decodePicture(bytes)
        progress(0, 1)
        let page = read(picture)
        progress(1, 1)
        return [page]
    }

    /// The mark may stand a little behind the beginning.
    private func isPDF(_ bytes: [UInt8]) -> Bool {
        let mark = Array("%PDF-".utf8)
        let prefix = bytes.prefix(1024)
        return prefix.indices.contains { prefix[$0] == mark[0] && prefix[$0...].starts(with: mark) }
    }

    /// Reads a decoded picture that may lie on any side.
    func read(_ decoded: Raster) -> PageReading {
        let print = upright(decoded)
        let reading = print.reading.picture
        remember(print)
        let page = RecognizedPage(
            source: .ocr, width: reading.width, height: reading.height,
            lines: withHeadings(readLines(of: print), of: print),
            codes: codes(on: reading, of: decoded),
            pass: "lines")
        return PageReading(page: page, picture: reading)
    }

    private func remember(_ page: PrintedPage) {
        recent.append(page)
        if recent.count > Self.remembered { recent.removeFirst() }
    }

    /// A reading picture made ready for the engine, or still ready.
    func printedPage(of picture: Raster) -> PrintedPage {
        if let known = recent.first(where: { $0.reading.picture === picture }) { return known }
        let page = PrintedPage(ReadingPicture(upright: picture))
        remember(page)
        return page
    }

    /// Codes on the reading picture, or beside the print that it was cropped to: then their place is not known.
    private func codes(on reading: Raster, of decoded: Raster) -> [RecognizedCode] {
        let codes = reading.codes()
        guard codes.isEmpty else { return codes }
        let whole = decoded.fitted(to: ReadingPicture.longSide)
        var beside = whole.codes()
        // Blurred modules come apart again where the picture is small enough to be worth the time.
        if beside.isEmpty, whole.longSide <= 1_000 { beside = whole.sharpened()?.codes() ?? [] }
        return beside.map { code in
            RecognizedCode(
                format: code.format, text: code.text,
                box: PixelBox(x: 0, y: 0, width: reading.width, height: reading.height))
        }
    }
}

extension RecognizedWord {
    /// The same word with its box in the pixels of a picture that is `factor` times as large.
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
