import CTesseract
import Recognition

extension PageReader {
    /// Reads places once more; a place outside the pages has no readings.
    ///
    /// A place on a printed line is read as part of that line, level and with narrow blanks, at other sizes and strokes
    /// than the first time; a place between lines as it is.
    ///
    /// - Parameter pages: the pictures that the boxes refer to, counted over the whole job.
    package func reread(_ requests: [RereadRequest], on pages: [Raster]) -> [RereadAnswer] {
        var prepared: [Int: LinesAgain] = [:]
        return requests.map { request in
            guard pages.indices.contains(request.page) else { return RereadAnswer(request: request, readings: []) }
            let page = pages[request.page]
            if prepared[request.page] == nil { prepared[request.page] = LinesAgain(page) }
            guard let strips = prepared[request.page]?.strips(at: request.box), !strips.isEmpty else {
                return RereadAnswer(request: request, readings: placeReadings(of: request, on: page))
            }
            return RereadAnswer(request: request, readings: lineReadings(of: request, on: strips))
        }
    }

    /// What the strips of one line say at the place, the most certain first.
    private func lineReadings(of request: RereadRequest, on strips: [LinesAgain.Strip]) -> [RecognizedWord] {
        var readings: [RecognizedWord] = []
        for strip in strips {
            let words = engine.words(on: strip.strip.picture, layout: .line, milliseconds: 2_000)
                .map(strip.strip.placed)
                .map { $0.scaled(by: 1 / strip.factor, inside: strip.page) }
                .filter {
                    request.box.x * 2 <= $0.box.x + $0.box.maxX && $0.box.x + $0.box.maxX <= request.box.maxX * 2
                }
            guard let confidence = words.map(\.confidence).min() else { continue }
            keep(words.map(\.text).joined(separator: " "), confidence, request, &readings)
        }
        return readings.sorted { $0.confidence > $1.confidence }
    }

    /// What several readings agree on is likely.
    private func keep(
        _ text: String, _ confidence: Int, _ request: RereadRequest, _ readings: inout [RecognizedWord]
    ) {
        if let known = readings.firstIndex(where: { $0.text == text }) {
            readings[known].confidence = min(100, max(readings[known].confidence, confidence) + 5)
        } else {
            readings.append(RecognizedWord(text: text, box: request.box, confidence: confidence))
        }
    }

    private func placeReadings(of request: RereadRequest, on page: Raster) -> [RecognizedWord] {
        let margin = max(4, request.box.height / 3)
        let box = PixelBox(
            x: max(0, request.box.x - margin), y: max(0, request.box.y - margin / 2),
            width: request.box.width + 2 * margin, height: request.box.height + margin)
        guard box.x < page.width, box.y < page.height, box.width > 0, box.height > 0 else { return [] }
        let part = page.cropped(to: box)
        var readings: [RecognizedWord] = []
        // Two sizes and two cleanings: what several of them agree on is likely.
        for height: Float in [48, 64] {
            let enlarged = part.scaled(by: min(6, height / Float(max(1, request.box.height))))
            for clean in [enlarged, enlarged.otsu()].compactMap(\.self) {
                let framed = Raster(pixAddBorder(clean.pix, 20, clean.pix.pointee.d == 1 ? 0 : 255)) ?? clean
                let words = engine.words(
                    on: framed, layout: .line, whitelist: request.alphabet == .amount ? "0123456789,.-" : "",
                    milliseconds: 2_000)
                guard let confidence = words.map(\.confidence).min() else { continue }
                keep(words.map(\.text).joined(separator: " "), confidence, request, &readings)
            }
        }
        return readings.sorted { $0.confidence > $1.confidence }
    }
}

/// The printed lines of a reading picture, prepared once for all places of a page that are read again.
private struct LinesAgain {
    /// A strip of one line, and how its pixels lie on the page.
    struct Strip {
        let strip: LineStrip
        let factor: Float
        let page: Raster
    }

    private let page: Raster
    private let factor: Float
    private let capital: Int
    private let lines: [PrintedLine]
    private let ink: PixelRows
    private let cleaned: [Cleaning: PixelRows]

    /// Other sizes, strokes and blanks than those of the first reading.
    private static let passes = [
        LinePass(cleaning: .normalised, capital: 33, widestBlank: 8),
        LinePass(cleaning: .softened, capital: 26, widestBlank: 8),
        LinePass(cleaning: .thickened, capital: 33, widestBlank: 6),
    ]

    init?(_ page: Raster) {
        let prepared = ReadingPicture(upright: page)
        let (clean, factor) = prepared.forEngine()
        guard let letters = clean.letters(), let mask = Raster(pixConvertTo8(letters.pix, 0)),
            let plain = PixelRows(clean), let ink = PixelRows(mask)
        else { return nil }
        self.page = page
        self.factor = factor
        self.ink = ink
        cleaned = [
            .normalised: plain, .softened: PixelRows(prepared.forEngine(.softened).0) ?? plain,
            .thickened: PixelRows(prepared.forEngine(.thickened).0) ?? plain,
        ]
        capital = Int(letters.capitalHeight() ?? ReadingPicture.wantedCapital)
        lines = letters.printedLines(capital: capital)
    }

    /// The line through the middle of a place, larger, smaller and with thicker strokes.
    func strips(at box: PixelBox) -> [Strip] {
        func scaled(_ value: Int) -> Int { Int(Float(value) * factor) }
        let (left, right) = (scaled(box.x), scaled(box.maxX))
        let middle = (left + right) / 2
        let near = lines.filter { $0.left <= right && left <= $0.right }
            .min { distance($0, middle, scaled(box.doubleMidY)) < distance($1, middle, scaled(box.doubleMidY)) }
        guard let near, distance(near, middle, scaled(box.doubleMidY)) <= scaled(box.height) / 2 + capital / 2 else {
            return []
        }
        return Self.passes.compactMap { pass in
            cleaned[pass.cleaning]
                .flatMap { LineStrip(near, pass: pass, grey: $0, ink: ink, capital: capital) }
                .map { Strip(strip: $0, factor: factor, page: page) }
        }
    }

    /// Twice how far the line passes from the middle of a place.
    private func distance(_ line: PrintedLine, _ x: Int, _ doubleMiddle: Int) -> Int {
        abs(line.doubleMiddle(at: x) - doubleMiddle)
    }
}
