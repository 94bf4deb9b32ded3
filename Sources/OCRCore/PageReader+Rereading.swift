import CTesseract
import Recognition

extension PageReader {
    /// Reads places again. A place has no readings if it is outside the pages or if the time limit of its page has
    /// passed.
    ///
    /// A place on a printed line is read as part of that line, levelled and with narrow blanks, at several sizes and
    /// strokes. A place between lines, or one that is to be read alone, is cut out unchanged.
    ///
    /// - Parameter pages: The pictures to which the boxes refer, numbered over the whole job.
    package func reread(_ requests: [RereadRequest], on pages: [Raster]) -> [RereadAnswer] {
        requests.map { request in
            guard pages.indices.contains(request.page), clock.allows(.rereading) else {
                return RereadAnswer(request: request, readings: [])
            }
            let page = printedPage(of: pages[request.page])
            let line = page.line(through: request.box)
            let secondReadings = secondReadings(of: request, ofLine: line, on: page)
            guard request.alphabet != .amountAlone, let line else {
                let readings = placeReadings(of: request, on: pages[request.page])
                return RereadAnswer(request: request, readings: readings, secondEngineReadings: secondReadings)
            }
            let readings = readings(of: request, ofLine: line, on: page)
            return RereadAnswer(request: request, readings: readings, secondEngineReadings: secondReadings)
        }
    }

    /// The second engine's readings of the place alone. Without a line, the place is cut out unchanged.
    private func secondReadings(
        of request: RereadRequest, ofLine line: Int?, on page: PrintedPage
    ) -> [RecognizedWord] {
        guard let second, clock.allows(.rereading), page.reading.picture.has(request.box) else { return [] }
        let place = page.onPreparedPicture(request.box)
        let strip = line.flatMap { page.strip(ofLine: $0, .neural, within: place)?.picture }
        guard let strip = strip ?? page.cut(place) else { return [] }
        return second.readings(of: strip, asAmount: request.alphabet != .text).map {
            RecognizedWord(text: $0.text, box: request.box, confidence: $0.percent, costs: [$0.cost])
        }
    }

    /// The readings of a place in its line with the passes of `LinePass.forRereading`, the most certain first.
    private func readings(of request: RereadRequest, ofLine line: Int, on page: PrintedPage) -> [RecognizedWord] {
        var readings: [RecognizedWord] = []
        for pass in LinePass.forRereading {
            let words = page.words(ofLine: line, pass, by: engine).map(page.onReadingPicture).filter {
                request.box.x * 2 <= $0.box.x + $0.box.maxX && $0.box.x + $0.box.maxX <= request.box.maxX * 2
            }
            guard let confidence = words.map(\.confidence).min() else { continue }
            addReading(words.map(\.text).joined(separator: " "), confidence, request, &readings)
            // If the first two passes give the same result, the third one, for worn print, is not needed.
            if pass == LinePass.forRereading[1], readings.count == 1, readings[0].confidence >= 60 { break }
        }
        return readings.sorted { $0.confidence > $1.confidence }
    }

    /// Adds a reading. If it exists already, its confidence is raised instead.
    private func addReading(
        _ text: String, _ confidence: Int, _ request: RereadRequest, _ readings: inout [RecognizedWord]
    ) {
        if let known = readings.firstIndex(where: { $0.text == text }) {
            readings[known].confidence = min(100, max(readings[known].confidence, confidence) + 5)
        } else {
            readings.append(RecognizedWord(text: text, box: request.box, confidence: confidence))
        }
    }

    /// The readings of a place that is cut out unchanged, the most certain first.
    private func placeReadings(of request: RereadRequest, on page: Raster) -> [RecognizedWord] {
        let margin = max(4, request.box.height / 3)
        let box = PixelBox(
            x: max(0, request.box.x - margin), y: max(0, request.box.y - margin / 2),
            width: request.box.width + 2 * margin, height: request.box.height + margin)
        guard box.x < page.width, box.y < page.height, box.width > 0, box.height > 0 else { return [] }
        let part = page.cropped(to: box)
        var readings: [RecognizedWord] = []
        // Two sizes and two cleanings. A result on which several agree is probably right.
        for height: Float in [48, 64] {
            let enlarged = part.scaled(by: min(6, height / Float(max(1, request.box.height))))
            for clean in [enlarged, enlarged.otsu()].compactMap(\.self) {
                let framed = Raster(pixAddBorder(clean.pix, 20, clean.pix.pointee.d == 1 ? 0 : 255)) ?? clean
                let words = engine.words(
                    on: framed, layout: .line, whitelist: request.alphabet == .text ? "" : "0123456789,.-",
                    milliseconds: 2_000)
                guard let confidence = words.map(\.confidence).min() else { continue }
                addReading(words.map(\.text).joined(separator: " "), confidence, request, &readings)
            }
        }
        return readings.sorted { $0.confidence > $1.confidence }
    }
}

extension PrintedPage {
    /// The line through the middle of a place on the reading picture.
    func line(through place: PixelBox) -> Int? {
        let box = onPreparedPicture(place)
        let middle = box.x + box.width / 2
        /// Twice the vertical distance of a line from the middle of the place.
        func distance(_ index: Int) -> Int { abs(lines[index].doubleMiddle(at: middle) - box.doubleMidY) }
        let near = lines.indices.filter { lines[$0].left <= box.maxX && box.x <= lines[$0].right }
            .min { distance($0) < distance($1) }
        guard let near, distance(near) <= box.height / 2 + capital / 2 else { return nil }
        return near
    }
}
