import Recognition

extension PageReader {
    /// The receipt upright: a few lines are read in the likeliest direction, and in the others only while they do not look
    /// like text. EXIF is only the first guess: cameras held over a table often record a wrong orientation.
    func upright(_ decoded: Raster) -> PrintedPage {
        var picture = decoded.fitted(to: ReadingPicture.longSide).withLettersLargeEnough()
        guard var letters = picture.fitted(to: 1_200).letters() else {
            return PrintedPage(ReadingPicture(picture, quarters: 0, letters: picture))
        }
        let darkened = picture.darkened(letters: letters).flatMap { dark in
            dark.fitted(to: 1_200).letters().map { (picture: dark, letters: $0) }
        }
        if let darkened { (picture, letters) = darkened }
        // On dark print a lower contrast would only add noise.
        let mayBePale = darkened == nil
        var best: Attempt?
        // Lines that are upright after the file's turn were level before it: programs that turn or shrink pictures
        // often keep the old orientation mark.
        let sideways = decoded.quartersByFile.isMultiple(of: 2) ? 1 : 4 - decoded.quartersByFile
        let sheet = picture.paperOnGrain(letters: letters)
        // A grained background is full of shapes like letters: without it the print is found sooner.
        if let sheet {
            if let page = clear(sheet, sideways: sideways, &best) {
                return mayBePale ? withPalePrint(page, of: sheet, sideways: sideways) : page
            }
            if let page = clear(sheet.dotsJoined(), sideways: sideways, &best) { return page }
        }
        let whole = clear(picture, letters, sideways: sideways, &best)
        if let whole, whole.lines.count <= Self.crowd {
            return mayBePale ? withPalePrint(whole, of: picture, sideways: sideways) : whole
        }
        // Patterns around the paper may look like print. The sheet alone must keep at least half of the lines.
        if let page = clear(picture.paperAlone(), sideways: sideways, &best),
            whole.map({ page.lines.count * 2 < $0.lines.count }) ?? true
        {
            return page
        }
        if let whole { return whole }
        if sheet == nil, let page = clear(picture.dotsJoined(), sideways: sideways, &best) { return page }
        return best?.page() ?? PrintedPage(ReadingPicture(picture, quarters: 0, letters: letters))
    }

    /// The page of a picture whose lines look like text in some direction.
    private func clear(
        _ picture: Raster?, _ letters: Raster? = nil, sideways: Int, _ best: inout Attempt?
    ) -> PrintedPage? {
        guard let picture, best == nil || clock.allows(.everything),
            let letters = letters ?? picture.fitted(to: 1_200).letters()
        else { return nil }
        for isTurned in [false, true] where best == nil || clock.allows(.everything) {
            if let page = attempt(picture, letters, sideways: sideways, isTurned: isTurned, &best) { return page }
        }
        return nil
    }

    /// The page with all of its print: thin strokes beside bold ones or a code may be too pale to count as letters, so that
    /// the page was cropped to the bold ones.
    private func withPalePrint(_ page: PrintedPage, of picture: Raster, sideways: Int) -> PrintedPage {
        let small = picture.fitted(to: 1_200)
        guard page.lines.count < Self.few, let letters = small.letters(), let pale = small.letters(contrast: 0.1),
            pale.pieces().count > 2 * letters.pieces().count
        else { return page }
        var best: Attempt?
        let dark = picture.darkened(letters: pale) ?? picture
        guard let fuller = clear(dark, pale, sideways: sideways, &best), fuller.lines.count * 2 > page.lines.count * 3,
            fuller.lines.count <= Self.crowd
        else { return page }
        return fuller
    }

    /// Most receipts have more lines.
    private static let few = 40

    private struct Attempt {
        /// The page in full size.
        let page: () -> PrintedPage
        let sense: Sense
    }

    /// How much some lines look like text when they are read in a direction.
    private struct Sense: Comparable {
        /// Mean confidence, weighted by length; 0 when there is next to nothing.
        let certainty: Int
        /// Letters and digits of words that are certain: in a wrong direction there are hardly any.
        let legible: Int

        static func < (left: Sense, right: Sense) -> Bool {
            (left.legible, left.certainty) < (right.legible, right.certainty)
        }
    }

    /// The page in the direction found from its letters, or a quarter turn from that, if its lines look like text.
    ///
    /// - Parameter sideways: Clockwise quarter turns for lines that run up or down, 1 or 3.
    private func attempt(
        _ picture: Raster, _ letters: Raster, sideways: Int, isTurned: Bool, _ best: inout Attempt?
    ) -> PrintedPage? {
        let quarters = letters.hasUprightLines() != isTurned ? sideways : 0
        func page(of picture: Raster) -> PrintedPage {
            PrintedPage(ReadingPicture(picture, quarters: quarters, letters: letters))
        }
        // The first direction is right on most pictures. The others are tried on a smaller copy, which takes a fourth of the time.
        let isTrial = best != nil && picture.longSide > Self.trialSide
        let tried = page(of: isTrial ? picture.fitted(to: Self.trialSide) : picture)
        func whole() -> PrintedPage { isTrial ? page(of: picture) : tried }
        if isClear(tried, whole, &best) { return whole() }
        let upsideDown = PrintedPage(upsideDown: tried)
        func wholeUpsideDown() -> PrintedPage { isTrial ? PrintedPage(upsideDown: whole()) : upsideDown }
        return isClear(upsideDown, wholeUpsideDown, &best) ? wholeUpsideDown() : nil
    }

    /// Pixels of the long side of such a copy.
    private static let trialSide = 2_000

    private func isClear(
        _ tried: PrintedPage, _ whole: @escaping () -> PrintedPage, _ best: inout Attempt?
    ) -> Bool {
        let sense = sense(of: tried)
        if best.map({ $0.sense < sense }) ?? true { best = Attempt(page: whole, sense: sense) }
        return sense.certainty >= Self.clearSense
    }

    /// More lines than all but the longest receipts have: there may be other print around the paper.
    private static let crowd = 120

    /// Print in the right direction is read with a mean confidence of 55 and more, in a wrong one with 35 at most.
    private static let clearSense = 50

    /// Reads as few lines as necessary: in a wrong direction the engine is slow.
    private func sense(of page: PrintedPage) -> Sense {
        var words: [RecognizedWord] = []
        for (count, line) in page.fullestLines(6).enumerated() {
            words += page.words(ofLine: line, LinePass.all[0], by: engine)
            let certainty = certainty(of: words)
            if certainty <= 20 ? count >= 1 : count >= 2 && (certainty >= 75 || certainty <= 25) { break }
        }
        let sure = words.filter {
            $0.confidence >= 60 && $0.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
        }
        return Sense(
            certainty: words.reduce(0) { $0 + $1.text.count } < 12 ? 0 : certainty(of: words),
            legible: sure.filter { $0.text.count >= 3 }.reduce(0) { $0 + $1.text.count })
    }
}
