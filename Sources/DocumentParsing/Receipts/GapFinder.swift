import Domain
import Recognition

/// Finds gaps where a quantity line may have been lost, so that the item would get a quantity of one.
enum GapFinder {
    /// Returns the gaps that have room for a lost quantity line. Does not search for lost items, because the sum
    /// reveals them.
    ///
    /// - Parameter place: where the chain prints its quantity lines, if known.
    static func gaps(
        _ lines: [ReadLine], _ sections: Sections, _ items: [DraftItem], place known: ChainFacts.QuantityPlace?,
        _ document: RecognizedDocument
    ) -> [Place] {
        let place = known ?? inferredPlace(items)
        let mayPrintBelow = place == .below || place == nil || (place == .inline && !printsQuantityLine(.above, items))
        let mayPrintAbove = place != .below
        let end = sections.total.map { $0 + 1 } ?? sections.body.upperBound
        let shown = (sections.body.lowerBound..<max(sections.body.lowerBound, min(end, lines.count))).filter {
            !lines[$0].line.isText && lines[$0].line.letterCount + lines[$0].line.digitCount > 1
                && !isBarelyRead(lines[$0].line)
        }
        guard shown.count >= 2 else { return [] }
        let pairs = zip(shown, shown.dropFirst()).filter { lines[$0].line.places(beside: lines[$1].line) != nil }
        // Steps and pitches are in half pixels.
        let steps = pairs.map { step(lines[$0], lines[$1]) }
        // With few lines, estimate the line pitch from the height of the print.
        guard let middle = steps.median, let height = shown.map({ lines[$0].line.box.height }).median else { return [] }
        // Unread ink is known only if a second engine read the page.
        let hasSecondEngine = lines.contains { !$0.line.otherEngineWords.isEmpty }
        let pitch = min(middle, height * 2 * 2, steps.count < 8 ? max(2 * height, usualPitch(lines)) : .max)
        guard pitch > 0 else { return [] }
        let withoutQuantity = items.filter { $0.quantity == nil }
        let last = Set(withoutQuantity.compactMap { $0.lines.max() })
        let first = Set(withoutQuantity.compactMap { $0.lines.min() })
        var gaps: [Place] = []
        for (upper, lower) in pairs where hasRoom(lines[upper], lines[lower], pitch) {
            if isRule(lines, upper, lower, pitch: pitch) { continue }
            // Weights are printed below their items even if counts are printed inline.
            let mayBelongAbove = place != .above && last.contains(upper)
            let mayBelongBelow = mayPrintAbove && first.contains(lower)
            // The quantity may also be lost between name and amount: `*Super E10`, litres and price, `70,05 A`.
            let isWithin = withoutQuantity.contains { $0.lines.contains(upper) && $0.lines.contains(lower) }
            guard mayBelongAbove || mayBelongBelow || isWithin else { continue }
            // Nearly all tills leave space or draw a rule above the total.
            let isRoomAboveTotal =
                lower == sections.total && upper + 1 == lower
                && (!mayPrintBelow
                    || (hasSecondEngine && !UnreadInk.isBetween(lines[upper].line, lines[lower].line, document)))
            if isRoomAboveTotal, !hasRoom(lines[upper], lines[lower], pitch, minimumGap: minimumAboveTotal) { continue }
            gaps.append(self.place(lines[upper].line, lines[lower].line))
        }
        // If quantity lines are printed above their items, the first one may be lost below the head.
        let start = sections.body.lowerBound
        if start > 0, mayPrintAbove, first.contains(start),
            lines[start - 1].line.places(beside: lines[start].line) != nil,
            hasRoom(lines[start - 1], lines[start], pitch)
        {
            gaps.append(self.place(lines[start - 1].line, lines[start].line))
        }
        return gaps
    }

    /// Minimum distance of two lines with room for another one between them, in tenths of the line pitch. It is less
    /// than 20, because the pitch varies on bent paper.
    private static let minimumGap = 17
    /// The minimum distance above the total, where nearly all tills leave space, in tenths of the line pitch.
    private static let minimumAboveTotal = 26

    private static func hasRoom(
        _ upper: ReadLine, _ lower: ReadLine, _ pitch: Int, minimumGap: Int = GapFinder.minimumGap
    ) -> Bool { step(upper, lower) * 10 > pitch * minimumGap }

    /// Whether the line was barely read, such as `re` for `3 x 1,29`: few, uncertain characters for its width.
    private static func isBarelyRead(_ line: PrintedLine) -> Bool {
        let characters = line.letterCount + line.digitCount
        return line.words.allSatisfy { $0.confidence < Confidence.legible }
            && line.words.reduce(0) { $0 + $1.box.width } * 2 > characters * line.box.height * 3
    }

    /// Whether the first item may lack its quantity line: the page begins with it, or a damaged line is above it.
    static func mayLackFirst(
        _ lines: [ReadLine], _ sections: Sections, _ items: [DraftItem], place known: ChainFacts.QuantityPlace?
    ) -> Bool {
        guard let item = items.first, item.quantity == nil, item.kind != .discount, let line = item.lines.min(),
            (known ?? inferredPlace(items)) != .below
        else { return false }
        guard line > 0 else { return !lines[line].line.isText }
        if sections.head.contains(line - 1), !ItemAssembly.isRule(lines[line - 1]),
            HiddenQuantity.isReadBadly(lines[line - 1], among: lines)
        {
            return true
        }
        if sections.head.contains(line - 1), statesQuantity(lines[line - 1]) { return true }
        // Digital text loses no figures, so a line without amounts is a column header.
        return sections.head.contains(line - 1) && HiddenQuantity.isPossible(lines[line - 1])
            && (!lines[line - 1].line.isText || !lines[line - 1].amounts.isEmpty)
    }

    /// Whether a line states a quantity, perhaps with misread figures: `Menge 30,001  Preis 1,459`.
    private static func statesQuantity(_ line: ReadLine) -> Bool {
        if line.begins(with: .quantityLabel), !line.figures.isEmpty { return true }
        return line.quantity?.unitPrice != nil && line.nameAfterQuantity == nil
    }

    /// Returns the line pitch of the whole page in half pixels, for receipts with few items.
    private static func usualPitch(_ lines: [ReadLine]) -> Int {
        let shown = lines.indices.filter { lines[$0].line.letterCount + lines[$0].line.digitCount > 2 }
        let steps = zip(shown, shown.dropFirst()).map { step(lines[$0], lines[$1]) }.filter { $0 > 0 }
        // Blank lines separate blocks in head and tail, so fewer than half of the steps may be a single line.
        return steps.sorted()[safe: steps.count / 3] ?? .max
    }

    /// Infers from the items where this receipt prints its quantity lines.
    private static func inferredPlace(_ items: [DraftItem]) -> ChainFacts.QuantityPlace? {
        switch (printsQuantityLine(.above, items), printsQuantityLine(.below, items)) {
        case (true, false): .above
        case (false, true): .below
        case (true, true): nil
        case (false, false): items.contains { $0.quantity?.origin == .inline } ? .inline : nil
        }
    }

    /// The distance of the middles of two lines on a picture that shows both, in half pixels; 0 if no picture does.
    private static func step(_ upper: ReadLine, _ lower: ReadLine) -> Int {
        upper.line.places(beside: lower.line).map { $0.other.doubleMidY - $0.own.doubleMidY } ?? 0
    }

    /// Whether a rule of dashes or stars fills the gap.
    private static func isRule(_ lines: [ReadLine], _ upper: Int, _ lower: Int, pitch: Int) -> Bool {
        let between = (upper + 1)..<lower
        guard !between.isEmpty, between.allSatisfy({ ItemAssembly.isRule(lines[$0]) && lines[$0].line.text.count >= 3 })
        else { return false }
        let middles = [upper] + Array(between) + [lower]
        return zip(middles, middles.dropFirst()).allSatisfy { !hasRoom(lines[$0], lines[$1], pitch) }
    }

    /// Whether a quantity line is printed above, or below, the name of its item.
    private static func printsQuantityLine(_ place: ChainFacts.QuantityPlace, _ items: [DraftItem]) -> Bool {
        items.contains { item in
            guard let box = item.quantity?.place.box, item.quantity?.origin == .ownLine, let name = item.namePlace.box
            else { return false }
            return place == .above ? box.doubleMidY < name.y * 2 : box.y > name.doubleMidY / 2
        }
    }

    /// Returns the strip between two lines, reduced by the margin that is added when a strip is read again.
    private static func place(_ upper: PrintedLine, _ lower: PrintedLine) -> Place {
        let (page, above, below) = upper.places(beside: lower) ?? (upper.page, upper.box, lower.box)
        let left = min(above.x, below.x)
        let right = max(above.maxX, below.maxX)
        let room = max(1, below.y - above.maxY)
        return Place(
            page: page,
            box: PixelBox(x: left, y: above.maxY + room / 8, width: right - left, height: max(1, room * 3 / 4)),
            confidence: 0)
    }
}
