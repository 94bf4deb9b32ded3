import Recognition

extension PageReader {
    /// The receipt upright: a few lines are read in the likeliest direction, and in the others only as long as they make
    /// no sense. EXIF is no more than the first guess: cameras held over a table get it wrong.
    func upright(_ decoded: Raster) -> PrintedPage {
        let picture = decoded.fitted(to: ReadingPicture.longSide)
        guard let letters = picture.fitted(to: 1_200).letters() else {
            return PrintedPage(ReadingPicture(picture, quarters: 0, letters: picture))
        }
        let likely = letters.hasUprightLines() ? 1 : 0
        var best: (page: PrintedPage, isUpsideDown: Bool, certainty: Int)?
        for quarters in [likely, 1 - likely] {
            let page = PrintedPage(ReadingPicture(picture, quarters: quarters, letters: letters))
            for isUpsideDown in [false, true] {
                let certainty = sense(of: page, upsideDown: isUpsideDown)
                if certainty > best?.certainty ?? -1 { best = (page, isUpsideDown, certainty) }
                if certainty >= Self.clearSense { return upright(page, isUpsideDown) }
            }
        }
        guard let best else { return PrintedPage(ReadingPicture(picture, quarters: 0, letters: letters)) }
        return upright(best.page, best.isUpsideDown)
    }

    private func upright(_ page: PrintedPage, _ isUpsideDown: Bool) -> PrintedPage {
        isUpsideDown ? PrintedPage(page.reading.upsideDown()) : page
    }

    /// Print in the right direction is read with a mean confidence of 55 and more, in a wrong one with 35 at most.
    private static let clearSense = 50

    /// Mean confidence of what is read in some lines, weighted by length; 0 when there is next to nothing.
    ///
    /// As few lines as it takes: in a wrong direction the engine is slow.
    private func sense(of page: PrintedPage, upsideDown: Bool) -> Int {
        var words: [RecognizedWord] = []
        for (count, line) in page.fullestLines(6).enumerated() {
            words += sample(of: page, line: line, upsideDown: upsideDown)
            let certainty = certainty(of: words)
            if count >= 2, certainty >= 75 || certainty <= 25 { break }
        }
        return words.reduce(0) { $0 + $1.text.count } < 12 ? 0 : certainty(of: words)
    }

    private func sample(of page: PrintedPage, line: Int, upsideDown: Bool) -> [RecognizedWord] {
        guard upsideDown else { return page.words(ofLine: line, LinePass.all[0], by: engine) }
        guard let strip = page.strip(ofLine: line, LinePass.all[0]) else { return [] }
        return engine.words(on: strip.picture.turned(quarters: 2), layout: .line)
    }
}
