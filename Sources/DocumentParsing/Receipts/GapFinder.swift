import Domain
import Recognition

/// Finds places in the list of items where a line may have been lost: a quantity line that was not read would leave
/// a wrong quantity of one, and no sum would notice.
enum GapFinder {
    ///
    /// Only where a lost line could be a quantity line is a place of interest: a lost item changes the sum.
    ///
    /// - Parameter place: where the chain's quantity lines stand, if known.
    static func gaps(
        _ lines: [ReadLine], _ sections: Sections, _ items: [DraftItem], place known: ChainFacts.QuantityPlace?
    ) -> [Place] {
        let place = quantityPlace(items, known: known)
        let mayStandBelow = place == .below || place == nil || (place == .inline && !standsAbove(items))
        let mayStandAbove = place == .above || place == nil || (place == .inline && !weightsStandBelow(items))
        let end = sections.total.map { $0 + 1 } ?? sections.body.upperBound
        let shown = (sections.body.lowerBound..<max(sections.body.lowerBound, min(end, lines.count))).filter {
            !lines[$0].line.isText && lines[$0].line.letterCount + lines[$0].line.digitCount > 1
        }
        guard shown.count >= 2 else { return [] }
        let pairs = zip(shown, shown.dropFirst()).filter { lines[$0].line.places(beside: lines[$1].line) != nil }
        let steps = pairs.map { step(lines[$0].line, lines[$1].line) }.sorted()
        // Few lines say little of the pitch; then the height of the print does.
        let heights = shown.map { lines[$0].line.box.height }.sorted()
        guard let middle = steps[safe: steps.count / 2], let height = heights[safe: heights.count / 2] else {
            return []
        }
        let pitch = min(middle, height * 2 * 2, steps.count < 8 ? max(2 * height, usualStep(lines)) : .max)
        guard pitch > 0 else { return [] }
        let open = items.filter { $0.quantity == nil }
        let last = Set(open.compactMap { $0.lines.max() })
        let first = Set(open.compactMap { $0.lines.min() })
        var gaps: [Place] = []
        for (upper, lower) in pairs where step(lines[upper].line, lines[lower].line) * 10 > pitch * 17 {
            if isRule(lines, upper, lower, pitch: pitch) { continue }
            // Weights stand below their items also where counts stand in the line.
            let mayBelongAbove = place != .above && last.contains(upper)
            let mayBelongBelow = mayStandAbove && first.contains(lower)
            guard mayBelongAbove || mayBelongBelow else { continue }
            // Nearly every till leaves room or draws a rule above the total; where quantity lines stand above their
            // items none is lost there.
            let isRoomAboveTotal = lower == sections.total && !mayStandBelow && upper + 1 == lower
            if isRoomAboveTotal, step(lines[upper].line, lines[lower].line) * 10 <= pitch * 26 { continue }
            gaps.append(self.place(lines[upper].line, lines[lower].line))
        }
        // Where quantity lines stand above their items, the first one may be lost below the head.
        let start = sections.body.lowerBound
        if start > 0, mayStandAbove, first.contains(start),
            lines[start - 1].line.places(beside: lines[start].line) != nil
        {
            let gap = step(lines[start - 1].line, lines[start].line)
            if gap * 10 > pitch * 17 { gaps.append(self.place(lines[start - 1].line, lines[start].line)) }
        }
        return gaps
    }

    /// Whether the quantity line of the first item may stand where nothing is shown or understood: the page begins with
    /// the item, or what stands above it may be a damaged quantity line.
    static func mayLackFirst(
        _ lines: [ReadLine], _ sections: Sections, _ items: [DraftItem], place known: ChainFacts.QuantityPlace?
    ) -> Bool {
        guard let item = items.first, item.quantity == nil, item.kind != .discount, let line = item.lines.min(),
            quantityPlace(items, known: known) != .below
        else { return false }
        guard line > 0 else { return !lines[line].line.isText }
        return sections.head.contains(line - 1) && !lines[line - 1].line.isText
            && HiddenQuantity.isPossible(lines[line - 1])
    }

    /// How far apart the lines of the whole print stand, when the list of items has too few to tell.
    private static func usualStep(_ lines: [ReadLine]) -> Int {
        let shown = lines.indices.filter { lines[$0].line.letterCount + lines[$0].line.digitCount > 2 }
        let steps = zip(shown, shown.dropFirst()).map { step(lines[$0].line, lines[$1].line) }.filter { $0 > 0 }
        // Blank lines part the head and the tail into blocks: less than half of the steps are one line.
        return steps.sorted()[safe: steps.count / 3] ?? .max
    }

    private static func quantityPlace(
        _ items: [DraftItem], known: ChainFacts.QuantityPlace?
    ) -> ChainFacts.QuantityPlace? { known ?? inferred(items) }

    private static func weightsStandBelow(_ items: [DraftItem]) -> Bool { standsBelow(items) && !standsAbove(items) }

    /// Where the quantity lines of this receipt stand.
    private static func inferred(_ items: [DraftItem]) -> ChainFacts.QuantityPlace? {
        switch (standsAbove(items), standsBelow(items)) {
        case (true, false): .above
        case (false, true): .below
        case (true, true): nil
        case (false, false): items.contains { $0.quantity?.origin == .inline } ? .inline : nil
        }
    }

    private static func step(_ upper: PrintedLine, _ lower: PrintedLine) -> Int {
        upper.places(beside: lower).map { $0.other.doubleMidY - $0.own.doubleMidY } ?? 0
    }

    /// A rule of dashes or stars fills the place.
    private static func isRule(_ lines: [ReadLine], _ upper: Int, _ lower: Int, pitch: Int) -> Bool {
        let between = (upper + 1)..<lower
        guard !between.isEmpty else { return false }
        let middles = [upper] + Array(between) + [lower]
        return zip(middles, middles.dropFirst()).allSatisfy { step(lines[$0].line, lines[$1].line) * 10 <= pitch * 17 }
    }

    private static func standsBelow(_ items: [DraftItem]) -> Bool {
        items.contains { item in
            guard let box = item.quantity?.place.box, item.quantity?.origin == .ownLine, let name = item.namePlace.box
            else {
                return false
            }
            return box.y > name.doubleMidY / 2
        }
    }

    private static func standsAbove(_ items: [DraftItem]) -> Bool {
        items.contains { item in
            guard let box = item.quantity?.place.box, item.quantity?.origin == .ownLine, let name = item.namePlace.box
            else {
                return false
            }
            return box.doubleMidY < name.y * 2
        }
    }

    /// The strip between two lines, less what the reader adds around a place it reads again.
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

/// Recognises the rest of a quantity in what was taken for a name.
enum QuantityTrace {
    /// A sign of multiplication that stands alone near a figure, or an amount that is no size.
    static func isIn(_ name: String, total: Int64) -> Bool {
        let words = name.split(separator: " ").map(String.init)
        if words.count > 1, isAmount(words[0]) || (words.count > 2 && words.suffix(2).allSatisfy(isFigureLike)) {
            return true
        }
        for (index, word) in words.enumerated() {
            let isSign = ["x", "X", "*", "×", "€"].contains(word)
            let near = words[max(0, index - 2)...min(words.count - 1, index + 2)]
            if isSign, index == words.count - 1 || near.contains(where: { $0.contains(where: \.isNumber) }) {
                return true
            }
            if ["stk", "stk.", "stck", "stück", "st", "st."].contains(word.lowercased()), index > 0,
                isCount(words, index)
            {
                return true
            }
            if index == 0, ["stk", "stk.", "stck", "stück"].contains(word.lowercased()) { return true }
            // `Saft 3,29% 2`, `Saft 2`: a count whose unit price is damaged or lost.
            if index > 0, index == words.count - 1, let count = Int64(word), (2...99).contains(count),
                total % count == 0, count <= 24 || isDamagedPrice(words[index - 1])
            {
                return true
            }
            // `Feldsalat 0,25 kg 12,00`: a weight and the price of a kilogram.
            if index > 0,
                FigureScanner.figures(in: Array(word.unicodeScalars.prefix(40))).contains(where: { $0.amount != nil }),
                words[index - 1].lowercased().hasSuffix("kg")
            {
                return true
            }
            if word.lowercased().contains("/kg") || isWeight(words, index) { return true }
            if word.first == ",", word.dropFirst().first?.isNumber == true { return true }
            let bare = word.trimmingSuffix { $0 == ")" }.drop { $0 == "(" }.lowercased()
            if index > 0, bare.hasPrefix("x") || (bare.count < word.count && bare.hasSuffix("x")),
                bare.count > 1, bare.dropFirst().dropLast().allSatisfy(\.isNumber), bare.contains(where: \.isNumber)
            {
                return true
            }
            guard word.count > 1, word.first?.isNumber == true else { continue }
            // `1.995.971`: several amounts drawn into one.
            if word.allSatisfy({ $0.isNumber || $0 == "." || $0 == "," }),
                word.dropLast().count(where: { $0 == "." || $0 == "," }) > 1
            {
                return true
            }
            if let last = word.last, last == "x" || last == "X" || last == "€" || last == "e" { return true }
            let figures = FigureScanner.figures(in: Array(word.unicodeScalars.prefix(40)))
            let next = words[safe: index + 1].flatMap { MeasureUnit(parsing: $0) }
            // Twice a unit price is at most the total; a tenth more for a misread digit.
            let isUnitPrice = { (figure: Figure) in
                // No content of fat or alcohol has two decimals: that percent sign was one of multiplication.
                figure.decimals == 2 && figure.range.count + (figure.isPercent ? 1 : 0) == word.unicodeScalars.count
                    && figure.digits * 20 <= Int64(total.magnitude) * 11
            }
            if figures.contains(where: isUnitPrice),
                next == nil || next == .piece
            {
                return true
            }
        }
        return false
    }

    /// `0,338 kg`, `0,33B kg`: scales print three decimals, packages don't.
    private static func isWeight(_ words: [String], _ index: Int) -> Bool {
        let word = words[index].lowercased()
        let figure = word.hasSuffix("kg") ? String(word.dropLast(2)) : word
        guard word.hasSuffix("kg") || words[safe: index + 1]?.lowercased().hasPrefix("kg") ?? false else {
            return false
        }
        let parts = figure.split(omittingEmptySubsequences: false) { $0 == "," || $0 == "." }
        return parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy(\.isNumber) && parts[1].count == 3
            && parts[1].count(where: \.isNumber) >= 2
    }

    /// `221,25 CHIPS`: an amount in front of a name is a quantity line that was drawn into it.
    private static func isAmount(_ word: String) -> Bool {
        let scalars = Array(word.unicodeScalars.prefix(40))
        let figures = FigureScanner.figures(in: scalars)
        return figures.count == 1 && figures[0].amount != nil && figures[0].range.count == scalars.count
    }

    /// `1.31O`, `3.l9`: digits around a separator, at most one of them read as a letter.
    private static func isFigureLike(_ word: String) -> Bool {
        guard (3...8).contains(word.count), word.contains(where: { $0 == "," || $0 == "." }) else { return false }
        let others = word.filter { !$0.isNumber && $0 != "," && $0 != "." }
        return others.count <= 1 && others.allSatisfy { "OolISBZQD".contains($0) }
            && word.count(where: \.isNumber) >= 2
    }

    /// `2 Stk x149 PFAND`.
    static func begins(_ name: String) -> Bool {
        let words = name.split(separator: " ").prefix(2).map(String.init)
        return words.indices.contains {
            ["stk", "stk.", "stck", "stück"].contains(words[$0].lowercased())
                && ($0 == 0 || words[0].allSatisfy(\.isNumber))
        }
    }

    /// A word for pieces counts what was bought, unless it ends a name as a size: `EIER 10 STK`.
    private static func isCount(_ words: [String], _ index: Int) -> Bool {
        guard index > 0 else { return true }
        guard words[index - 1].contains(where: \.isNumber) else { return false }
        guard index > 1, index == words.count - 1, let size = Int64(words[index - 1]) else { return true }
        return size < 4
    }

    /// Figures without a unit behind them.
    private static func isDamagedPrice(_ word: String) -> Bool {
        guard let last = word.last, word.contains(where: \.isNumber) else { return false }
        return !last.isLetter
    }
}
