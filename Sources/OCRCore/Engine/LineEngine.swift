import Recognition

/// An engine that reads a line cut out of a page.
protocol LineEngine: AnyObject {
    /// The words of a strip from left to right, with boxes in the pixels of the page that the strip was cut from.
    func words(on strip: LineStrip) -> [RecognizedWord]
}

extension TextEngine: LineEngine {
    func words(on strip: LineStrip) -> [RecognizedWord] {
        words(on: strip.picture, layout: .line).map(strip.placed).flatMap(\.partsBetweenUnderscores)
    }
}
