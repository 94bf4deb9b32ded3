import Recognition

extension PageReader {
    /// The receipt upright: a few lines are read in the likeliest direction, and in the others only as long as they make
    /// no sense. EXIF is no more than the first guess: cameras held over a table get it wrong.
    func upright(_ decoded: Raster) -> PrintedPage {
        let picture = decoded.fitted(to: ReadingPicture.longSide)
        guard let letters = picture.fitted(to: 1_200).letters() else {
            return PrintedPage(ReadingPicture(picture, quarters: 0, letters: picture))
        }
        var best: Attempt?
        // A grained ground is full of what looks like letters: without it everything is found sooner.
        if let paper = picture.paperOnGrain(letters: letters), let onPaper = paper.fitted(to: 1_200).letters() {
            for isTurned in [false, true] {
                if let page = attempt(paper, onPaper, isTurned: isTurned, &best) { return page }
            }
        }
        for isTurned in [false, true] {
            if let page = attempt(picture, letters, isTurned: isTurned, &best) { return page }
        }
        // Patterns around the paper may look like print.
        if let paper = picture.paperAlone(), let onPaper = paper.fitted(to: 1_200).letters() {
            for isTurned in [false, true] {
                if let page = attempt(paper, onPaper, isTurned: isTurned, &best) { return page }
            }
        }
        guard let best else { return PrintedPage(ReadingPicture(picture, quarters: 0, letters: letters)) }
        return upright(best.page, best.isUpsideDown)
    }

    private struct Attempt {
        let page: PrintedPage
        let isUpsideDown: Bool
        let certainty: Int
    }

    /// The page in the direction that its letters tell, or a quarter turn from that, when its lines make sense.
    private func attempt(_ picture: Raster, _ letters: Raster, isTurned: Bool, _ best: inout Attempt?) -> PrintedPage? {
        let page = PrintedPage(
            ReadingPicture(picture, quarters: letters.hasUprightLines() != isTurned ? 1 : 0, letters: letters))
        for isUpsideDown in [false, true] {
            let certainty = sense(of: page, upsideDown: isUpsideDown)
            if certainty > best?.certainty ?? -1 {
                best = Attempt(page: page, isUpsideDown: isUpsideDown, certainty: certainty)
            }
            if certainty >= Self.clearSense { return upright(page, isUpsideDown) }
        }
        return nil
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
