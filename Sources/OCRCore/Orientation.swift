import Recognition

extension PageReader {
    /// Turns a receipt upright and prepares it for the engines. A few lines are read in the likeliest direction; if
    /// they do not look like text, the other directions are tried. EXIF is only the first guess: a camera held over a
    /// table often records a wrong orientation.
    func upright(_ decoded: Raster) -> PrintedPage {
        let original = decoded.fitted(to: ReadingPicture.longSide).withLettersLargeEnough()
        var picture = original
        guard var letters = picture.fitted(to: 1_200).letters() else {
            return PrintedPage(ReadingPicture(picture, quarters: 0, letters: picture))
        }
        let darkened = picture.darkened(letters: letters).flatMap { dark in
            dark.fitted(to: 1_200).letters().map { (picture: dark, letters: $0) }
        }
        if let darkened { (picture, letters) = darkened }
        // After darkening, a lower contrast would only add noise.
        let mayBePale = darkened == nil
        var best: Attempt?
        // If the lines are vertical after the turn by the file's metadata, they were level in the file. Programs that
        // turn or reduce pictures often keep the old orientation tag.
        let sideways = decoded.quartersByFile.isMultiple(of: 2) ? 1 : 4 - decoded.quartersByFile
        let sheet = picture.paperOnGrain(letters: letters)
        // A grained background is full of shapes like letters. Removing it makes the print easier to find.
        if let sheet {
            if let page = legiblePage(sheet, sideways: sideways, &best) {
                return mayBePale ? withPalePrint(page, of: sheet, sideways: sideways) : page
            }
            if let page = legiblePage(sheet.dotsJoined(), sideways: sideways, &best) { return page }
        }
        let whole = legiblePage(picture, letters, sideways: sideways, &best)
        if let whole, whole.lines.count <= Self.manyLines {
            return mayBePale ? withPalePrint(whole, of: picture, sideways: sideways) : whole
        }
        // Patterns around the paper may look like print. The picture without them must keep at least half of the lines.
        if let page = legiblePage(picture.paperAlone(), sideways: sideways, &best),
            whole.map({ page.lines.count * 2 < $0.lines.count }) ?? true
        {
            return page
        }
        if let whole { return whole }
        if sheet == nil, let page = legiblePage(picture.dotsJoined(), sideways: sideways, &best) { return page }
        if let page = paleAlone(original, sideways: sideways, &best) { return page }
        return best?.page() ?? PrintedPage(ReadingPicture(picture, quarters: 0, letters: letters))
    }

    /// The page of the picture in a direction in which its lines look like text; nil if there is none. `best` keeps the
    /// most legible attempt so far. `sideways` is passed to `attempt`.
    private func legiblePage(
        _ picture: Raster?, _ letters: Raster? = nil, sideways: Int, _ best: inout Attempt?
    ) -> PrintedPage? {
        guard let picture, best == nil || clock.allows(.refinement),
            let letters = letters ?? picture.fitted(to: 1_200).letters()
        else { return nil }
        for isTurned in [false, true] where best == nil || clock.allows(.refinement) {
            if let page = attempt(picture, letters, sideways: sideways, isTurned: isTurned, &best) { return page }
        }
        return nil
    }

    /// The page including pale print. Beside bold print, a code or another sheet, thin and pale strokes may not have
    /// counted as letters. The page was then cropped to the dark print.
    private func withPalePrint(_ page: PrintedPage, of picture: Raster, sideways: Int) -> PrintedPage {
        let small = picture.fitted(to: 1_200)
        let isNarrow = page.reading.picture.width * Self.narrowDivisor < max(picture.width, picture.height)
        guard page.lines.count < Self.fewLines || isNarrow, let letters = small.letters(),
            let pale = small.letters(contrast: 0.1)
        else { return page }
        let isLarger = isNarrow && pale.printedColumn().area > 2 * letters.printedColumn().area
        guard isLarger || (page.lines.count < Self.fewLines && pale.pieces().count > 2 * letters.pieces().count) else {
            return page
        }
        var tries = [(picture: picture, letters: pale)]
        if isLarger, let beside = picture.withoutSheet(of: letters, beside: pale) { tries.insert(beside, at: 0) }
        for (picture, print) in tries {
            var best: Attempt?
            let dark = picture.darkened(letters: print) ?? picture
            if let fuller = legiblePage(dark, print, sideways: sideways, &best), fuller.lines.count <= Self.manyLines,
                (isLarger ? fuller.textWidth : fuller.lines.count) * 2
                    > (isLarger ? page.textWidth : page.lines.count) * 3
            {
                return fuller
            }
        }
        return page
    }

    /// The page of print that is so pale that hardly any letters are found at the usual contrast.
    private func paleAlone(_ picture: Raster, sideways: Int, _ best: inout Attempt?) -> PrintedPage? {
        guard best?.legibility.legible ?? 0 < Self.fewLegible,
            let pale = picture.fitted(to: 1_200).letters(contrast: 0.1)
        else { return nil }
        return legiblePage(picture.darkened(letters: pale) ?? picture, pale, sideways: sideways, &best)
    }

    /// A page with fewer legible letters is searched for pale print. On a page with more, even uncertain words are read
    /// better at the usual contrast.
    private static let fewLegible = 12
    /// Print may belong to a sheet beside the receipt if its width is less than the long side of the picture divided by
    /// this number.
    private static let narrowDivisor = 4
    /// Pages with fewer lines are searched for pale print.
    private static let fewLines = 40

    /// A page in one direction. A few of its lines were read.
    private struct Attempt {
        /// The page in full size.
        let page: () -> PrintedPage
        let legibility: Legibility
    }

    /// How much some lines look like text in a direction.
    private struct Legibility: Comparable {
        /// The mean confidence, weighted by length; 0 if there is hardly any text.
        let certainty: Int
        /// The number of letters and digits in words of high confidence: hardly any in a wrong direction.
        let legible: Int

        static func < (left: Legibility, right: Legibility) -> Bool {
            (left.legible, left.certainty) < (right.legible, right.certainty)
        }
    }

    /// The page in the direction that its letters suggest, or upside down. Nil if its lines look like text in neither
    /// direction.
    ///
    /// - Parameters:
    ///   - sideways: The clockwise quarter turns for lines that run up or down, 1 or 3.
    ///   - isTurned: Whether to turn the suggested direction by a further quarter.
    private func attempt(
        _ picture: Raster, _ letters: Raster, sideways: Int, isTurned: Bool, _ best: inout Attempt?
    ) -> PrintedPage? {
        let quarters = letters.hasVerticalLines() != isTurned ? sideways : 0
        func page(of picture: Raster) -> PrintedPage {
            PrintedPage(ReadingPicture(picture, quarters: quarters, letters: letters))
        }
        // The first direction is right for most pictures. The others are tried on a smaller copy, which takes a quarter
        // of the time.
        let isTrial = best != nil && picture.longSide > Self.trialSide
        let tried = page(of: isTrial ? picture.fitted(to: Self.trialSide) : picture)
        func whole() -> PrintedPage { isTrial ? page(of: picture) : tried }
        if looksLikeText(tried, whole, &best) { return whole() }
        let upsideDown = PrintedPage(upsideDown: tried)
        func wholeUpsideDown() -> PrintedPage { isTrial ? PrintedPage(upsideDown: whole()) : upsideDown }
        return looksLikeText(upsideDown, wholeUpsideDown, &best) ? wholeUpsideDown() : nil
    }

    /// The long side of the smaller copy in pixels.
    private static let trialSide = 2_000

    /// Whether the lines of a tried direction look like text. Stores the direction in `best` if it is more legible than
    /// the earlier ones.
    private func looksLikeText(
        _ tried: PrintedPage, _ whole: @escaping () -> PrintedPage, _ best: inout Attempt?
    ) -> Bool {
        let legibility = legibility(of: tried)
        if best.map({ $0.legibility < legibility }) ?? true { best = Attempt(page: whole, legibility: legibility) }
        return legibility.certainty
            >= (isQuick && second != nil ? Self.minimumCertaintyOfSecond : Self.minimumCertainty)
    }

    /// A page with more lines may include print around the paper. Only the longest receipts have so many lines.
    private static let manyLines = 120

    /// The minimum certainty of the right direction. Print in the right direction has a mean confidence of 55 or more,
    /// in a wrong direction of 35 at most.
    private static let minimumCertainty = 50
    /// The minimum certainty if the second engine reads, which recognises some letters upside down, too.
    private static let minimumCertaintyOfSecond = 80

    /// The legibility of at most six lines. Reads as few as necessary, because the engine is slow in a wrong direction.
    private func legibility(of page: PrintedPage) -> Legibility {
        var words: [RecognizedWord] = []
        for (count, line) in page.fullestLines(6).enumerated() {
            words += firstWords(ofLine: line, of: page)
            let certainty = certainty(of: words)
            if certainty <= 20 ? count >= 1 : count >= 2 && (certainty >= 75 || certainty <= 25) { break }
        }
        let sure = words.filter {
            $0.confidence >= 60 && $0.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
        }
        return Legibility(
            certainty: words.reduce(0) { $0 + $1.text.count } < 12 ? 0 : certainty(of: words),
            legible: sure.filter { $0.text.count >= 3 }.reduce(0) { $0 + $1.text.count })
    }
}

extension PixelBox {
    fileprivate var area: Int { width * height }
}
