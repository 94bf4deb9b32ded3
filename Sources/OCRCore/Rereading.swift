import CTesseract
import Recognition

extension PageReader {
    /// Reads places once more, enlarged, each as one line; a place outside the pages has no readings.
    ///
    /// - Parameter pages: the pictures that the boxes refer to, counted over the whole job.
    package func reread(_ requests: [RereadRequest], on pages: [Raster]) -> [RereadAnswer] {
        requests.map { request in
            guard pages.indices.contains(request.page) else { return RereadAnswer(request: request, readings: []) }
            return RereadAnswer(request: request, readings: readings(of: request, on: pages[request.page]))
        }
    }

    private func readings(of request: RereadRequest, on page: Raster) -> [RecognizedWord] {
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
                let text = words.map(\.text).joined(separator: " ")
                if let known = readings.firstIndex(where: { $0.text == text }) {
                    readings[known].confidence = min(100, max(readings[known].confidence, confidence) + 5)
                } else {
                    readings.append(RecognizedWord(text: text, box: request.box, confidence: confidence))
                }
            }
        }
        return readings.sorted { $0.confidence > $1.confidence }
    }
}
