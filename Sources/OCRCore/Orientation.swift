import Recognition

extension PageReader {
    /// The receipt upright: a few lines are read in the likeliest direction, and in the others only as long as they make
    /// no sense. EXIF is no more than the first guess: cameras held over a table get it wrong.
    func upright(_ decoded: Raster) -> PrintedPage {
        var picture = decoded.fitted(to: ReadingPicture.longSide)
        guard var letters = picture.fitted(to: 1_200).letters() else {
            return PrintedPage(ReadingPicture(picture, quarters: 0, letters: picture))
        }
        if let dark = picture.darkened(letters: letters), let found = dark.fitted(to: 1_200).letters() {
            (picture, letters) = (dark, found)
        }
        var best: Attempt?
        // Lines that stand although the file's turn was made stood right before it: programs that turn or shrink
        // pictures leave the old mark in them.
        let standing = decoded.quartersByFile.isMultiple(of: 2) ? 1 : 4 - decoded.quartersByFile
        let sheet = picture.paperOnGrain(letters: letters)
        // A grained ground is full of what looks like letters: without it everything is found sooner.
        if let sheet {
            if let page = clear(sheet, standing: standing, &best) { return page }
            if let page = clear(sheet.dotsJoined(), standing: standing, &best) { return page }
        }
        let whole = clear(picture, letters, standing: standing, &best)
        if let whole, whole.lines.count <= Self.crowd { return whole }
        // Patterns around the paper may look like print. A long receipt stays as long as it was.
        if let page = clear(picture.paperAlone(), standing: standing, &best),
            whole.map({ page.lines.count * 2 < $0.lines.count }) ?? true
        {
            return page
        }
        if let whole { return whole }
        if sheet == nil, let page = clear(picture.dotsJoined(), standing: standing, &best) { return page }
        return best?.page ?? PrintedPage(ReadingPicture(picture, quarters: 0, letters: letters))
    }

    /// The page of a picture whose lines make sense in some direction.
    private func clear(
        _ picture: Raster?, _ letters: Raster? = nil, standing: Int, _ best: inout Attempt?
    ) -> PrintedPage? {
        guard let picture, let letters = letters ?? picture.fitted(to: 1_200).letters() else { return nil }
        for isTurned in [false, true] {
            if let page = attempt(picture, letters, standing: standing, isTurned: isTurned, &best) { return page }
        }
        return nil
    }

    private struct Attempt {
        let page: PrintedPage
        let certainty: Int
    }

    /// The page in the direction that its letters tell, or a quarter turn from that, when its lines make sense.
    ///
    /// - Parameter standing: clockwise quarter turns for lines that run up or down, 1 or 3.
    private func attempt(
        _ picture: Raster, _ letters: Raster, standing: Int, isTurned: Bool, _ best: inout Attempt?
    ) -> PrintedPage? {
        let quarters = letters.hasUprightLines() != isTurned ? standing : 0
        let page = PrintedPage(ReadingPicture(picture, quarters: quarters, letters: letters))
        if isClear(page, &best) { return page }
        let upsideDown = PrintedPage(upsideDown: page)
        return isClear(upsideDown, &best) ? upsideDown : nil
    }

    private func isClear(_ page: PrintedPage, _ best: inout Attempt?) -> Bool {
        let certainty = sense(of: page)
        if certainty > best?.certainty ?? -1 { best = Attempt(page: page, certainty: certainty) }
        return certainty >= Self.clearSense
    }

    /// More lines than receipts have but the longest: there may be others around the paper.
    private static let crowd = 120

    /// Print in the right direction is read with a mean confidence of 55 and more, in a wrong one with 35 at most.
    private static let clearSense = 50

    /// Mean confidence of what is read in some lines, weighted by length; 0 when there is next to nothing.
    ///
    /// As few lines as it takes: in a wrong direction the engine is slow.
    private func sense(of page: PrintedPage) -> Int {
        var words: [RecognizedWord] = []
        for (count, line) in page.fullestLines(6).enumerated() {
            words += page.words(ofLine: line, LinePass.all[0], by: engine)
            let certainty = certainty(of: words)
            if certainty <= 20 ? count >= 1 : count >= 2 && (certainty >= 75 || certainty <= 25) { break }
        }
        return words.reduce(0) { $0 + $1.text.count } < 12 ? 0 : certainty(of: words)
    }
}
