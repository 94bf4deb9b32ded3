/// The tip on a bill and the totals that include it. Guests often write both by hand.
enum PaperTips {
    typealias Amount = PaperAmounts.Amount

    /// If at least this many different tips are printed, they are only suggestions to the guest, such as 15, 18 and 20
    /// percent.
    private static let minimumSuggested = 3
    /// Maximum number of lines from the label of the tip down to the amount paid.
    private static let maximumLines = 4

    /// The tip added to the bill.
    static func tip(_ lines: [PaperLine], _ amounts: [Amount]) -> Amount? {
        let known = Set(amounts.map(\.value))
        let largest = known.max() ?? 0
        let tips = amounts.filter { isTip(lines[$0.line]) && $0.value * 2 < largest }
        let suggested = Dictionary(tips.map { ($0.value, $0.line) }) { first, _ in first }
        guard Set(suggested.values).count < minimumSuggested else { return nil }
        // A tip may be read in two ways. The right reading is the difference between the bill and the amount paid.
        return tips.last { tip in known.contains { $0 > 2 * tip.value && known.contains($0 + tip.value) } }
            ?? tips.last { !$0.isDoubtful } ?? tips.last
    }

    /// The amounts that are named as the total with the tip after a smaller bill, by their lines: `Gesamt inkl.
    /// Trinkgeld`, or the first total below the label of a tip. The tip itself may be misread or missing.
    static func namedTotals(_ lines: [PaperLine], _ amounts: [Amount]) -> [Int: Set<Int64>] {
        let bills = amounts.filter { lines[$0.line].has(PaperWords.paid) }
        let below = totalsBelowTips(lines, Set(amounts.map(\.line)))
        let named = amounts.filter { amount in
            let line = lines[amount.line]
            let tipLine = below[amount.line]
            return (tipLine != nil || line.has(PaperWords.tips) && line.has(PaperWords.including))
                && bills.contains { $0.line < tipLine ?? amount.line && isWithTip(amount.value, of: $0.value) }
        }
        return Dictionary(grouping: named, by: \.line).mapValues { Set($0.map(\.value)) }
    }

    /// The bill plus the tip, if the total below the tip is illegible. This is assumed if no amount below the tip is
    /// larger than the bill, and the line of the total does not repeat the bill.
    static func impliedTotal(_ lines: [PaperLine], _ amounts: [Amount], tip: Amount?) -> Amount? {
        guard let tip, !tip.isDoubtful, !tip.isRepaired, isLabel(lines[tip.line]) else { return nil }
        let below = lines.indices.dropFirst(tip.line + 1).prefix(maximumLines)
        guard
            let bill = amounts.last(where: { $0.line < tip.line && lines[$0.line].has(PaperWords.paid) }),
            let total = below.first(where: { lines[$0].has(PaperWords.paid) }), bill.value > 2 * tip.value,
            !amounts.contains(where: { $0.line > tip.line && $0.value > bill.value }),
            !amounts.contains(where: { $0.line == total && $0.value == bill.value })
        else { return nil }
        let line = lines[total]
        return Amount(
            value: bill.value + tip.value, line: total, isRepaired: false,
            candidate: PaperReading.Candidate(
                value: bill.value + tip.value, text: line.text, page: line.page, box: line.box, score: 0))
    }

    /// The first line with a total below each label of a tip, with the line of that label.
    private static func totalsBelowTips(_ lines: [PaperLine], _ withAmounts: Set<Int>) -> [Int: Int] {
        var found: [Int: Int] = [:]
        let labels = lines.indices.filter { isLabel(lines[$0]) }
        guard labels.count < minimumSuggested else { return [:] }
        for label in labels {
            let below = lines.indices.dropFirst(label + 1).prefix(maximumLines)
            let total = below.first { withAmounts.contains($0) && lines[$0].has(PaperWords.paid) }
            if let total, !lines[total].has(PaperWords.tips) { found[total] = label }
        }
        return found
    }

    /// Whether an amount can be a bill plus a tip of at most 40 percent.
    static func isWithTip(_ value: Int64, of bill: Int64) -> Bool { value > bill && value * 10 <= bill * 14 }

    /// Whether a label for a tip below an amount has no legible figure. The guest may have written a tip by hand.
    static func hasTipWithoutFigure(_ lines: [PaperLine], _ amounts: [Amount]) -> Bool {
        guard let first = amounts.first?.line else { return false }
        return lines.indices.dropFirst(first + 1).contains { index in
            isLabel(lines[index]) && !amounts.contains { $0.line == index }
        }
    }

    /// Whether the line begins with the label of a tip and has hardly any other words: `Tip:`, `Trinkgeld EUR 2,00`.
    static func isLabel(_ line: PaperLine) -> Bool {
        [line.words, line.otherWords].contains { words in
            words.count <= 3 && words.first.map(PaperWords.tips.contains) ?? false
        } && isTip(line)
    }

    /// Whether the amounts of a line are tips.
    private static func isTip(_ line: PaperLine) -> Bool {
        line.has(PaperWords.tips) && !line.has(PaperWords.including)
    }
}
