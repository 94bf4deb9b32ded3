import Recognition

/// Scores the amounts of a paper. A higher score means that the amount is more likely the total.
struct PaperScores {
    private typealias Amount = PaperAmounts.Amount

    private let lines: [PaperLine]
    private let amounts: [Amount]
    /// The values of all amounts, in minor units.
    private let known: Set<Int64>
    /// How often each value is printed.
    private let counts: [Int64: Int]
    /// Amounts paid in cash: an amount given minus the change.
    private let paidInCash: Set<Int64>
    /// Amounts given in cash for which change was returned.
    private let given: Set<Int64>
    /// Amounts paid before, and reductions.
    private let deductions: Set<Int64>
    /// The largest amount that is printed as a net amount or a tax; 0 without one. Only a total from which an earlier
    /// payment or a reduction is deducted can be lower.
    private let lowerBound: Int64
    /// The tip added to the bill.
    let tip: PaperAmounts.Amount?
    /// Amounts that are named as the total with the tip, by their lines.
    private let namedWithTip: [Int: Set<Int64>]
    private let sums: PaperSums

    init(_ lines: [PaperLine], _ read: [PaperAmounts.Amount], deductions: Set<Int64>) {
        self.deductions = deductions
        self.lines = lines
        func labelled(_ words: PaperWordSet) -> Set<Int64> {
            Set(
                read.filter {
                    lines[$0.line].has(words) || Self.label($0.line, lines)?.has(words) == true
                }.map(\.value))
        }
        let (givens, changes) = (labelled(PaperWords.given), labelled(PaperWords.change))
        tip = PaperTips.tip(lines, read)
        sums = PaperSums(lines, read, tip: tip, given: givens, changes: changes)
        let implied = PaperTips.impliedTotal(lines, read, tip: tip).map { [$0] } ?? []
        // Sorted by line, because the scores compare an amount with the amounts of the lines above.
        let amounts = (read + sums.corrections(of: read, lines) + implied).enumerated()
            .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
        let known = Set(amounts.map(\.value))
        let cashPairs = givens.flatMap { given in changes.map { (given, given - $0) } }
            .filter { $0.1 > 0 && known.contains($0.1) }
        self.amounts = amounts
        self.known = known
        namedWithTip = PaperTips.namedTotals(lines, amounts)
        counts = Dictionary(amounts.map { ($0.value, 1) }, uniquingKeysWith: +)
        lowerBound = amounts.filter { lines[$0.line].has(PaperWords.nets) }.map(\.value).max() ?? 0
        paidInCash = Set(cashPairs.map(\.1))
        given = Set(cashPairs.map(\.0))
    }

    func candidates() -> [PaperReading.Candidate<Int64>] {
        let largest = known.max() ?? 0
        return amounts.indices.map { index in
            let amount = amounts[index]
            let score = wordScore(amount) + layoutScore(amount, largest) + sumScore(index)
            let found = amount.candidate
            return PaperReading.Candidate(
                value: found.value, text: found.text, page: found.page, box: found.box, score: score)
        }
    }

    /// Score for the words on the line of an amount and on the line that labels it.
    private func wordScore(_ amount: Amount) -> Int {
        let line = lines[amount.line]
        let label = Self.label(amount.line, lines)
        // `Summe inkl. MwSt.` is a total; `inkl. MwSt.` is a part of it.
        let isPart =
            line.has(PaperWords.parts) && !(line.has(PaperWords.paid) && line.has(PaperWords.including))
            && !isBillWithTip(amount)
        // A repaired amount has a decimal mark that was not read. It is probably right, because amounts in the hundreds
        // are rarely printed without cents.
        var score = amount.isRepaired && !amount.isDoubtful ? 30 : 10
        // The second engine has read another amount, and it reads figures better.
        if amount.isDoubtful { score -= 12 }
        if line.has(PaperWords.paid) {
            score += 40
        } else if let label, label.has(PaperWords.paid), !isPart {
            score += 32
        }
        if line.has(PaperWords.finalAmount) || label?.has(PaperWords.finalAmount) == true { score += 20 }
        if isPart { score -= line.has(PaperWords.finalAmount) ? 15 : 50 }
        if label?.has(PaperWords.parts) == true, !isBillWithTip(amount) { score -= 30 }
        if line.has(PaperWords.notes) { score -= 40 }
        if line.has(PaperWords.payments) || label?.has(PaperWords.payments) == true { score += 25 }
        if line.text.contains("€") || line.has(["eur", "euro", "chf", "fr"]) { score += 6 }
        return score
    }

    /// The line of words that labels an amount: the line above or, on a slanted picture, the next line at the same
    /// height.
    private static func label(_ index: Int, _ lines: [PaperLine]) -> PaperLine? {
        let line = lines[index]
        guard line.figures.count <= 2, line.words.count <= 2 else { return nil }
        if index > 0, lines[index - 1].figures.isEmpty, lines[index - 1].page == line.page,
            line.box.y - lines[index - 1].box.maxY < 2 * line.box.height
        {
            return lines[index - 1]
        }
        guard index + 1 < lines.count, lines[index + 1].figures.isEmpty, lines[index + 1].box.y < line.box.maxY else {
            return nil
        }
        return lines[index + 1]
    }

    /// Score for large print, a low position, repetition and size.
    private func layoutScore(_ amount: Amount, _ largest: Int64) -> Int {
        let line = lines[amount.line]
        return (line.isLarge ? 12 : 0) + line.height / 12 + min(3, (counts[amount.value] ?? 1) - 1) * 12
            + (amount.value == largest ? 8 : 0)
    }

    /// Score for agreement with other amounts: sums, deductions, cash and tip.
    private func sumScore(_ index: Int) -> Int {
        let amount = amounts[index]
        var score = 0
        if isSumWithTax(amount.value, within: 0) {
            score += 25
        } else if isSumWithTax(amount.value, within: 1) {
            // Rounding or a misread digit explains a difference of 1.
            score += 20
        }
        if isLessThanLineAbove(index) { score -= 15 }
        if amount.value < lowerBound, deductions.isEmpty { score -= 50 }
        if deductions.contains(where: { known.contains(amount.value + $0) }) || isRest(amount) { score += 45 }
        if isBeforeDeduction(index) { score -= 60 }
        if isBillBeforeTip(amount) { score -= 40 }
        // The tax that a bill includes says nothing about the amount paid if a tip or a deduction follows.
        if tip == nil, deductions.isEmpty, sums.includesTax(amount.value) { score += 20 }
        if isSumOfLinesAbove(index) { score += 25 }
        if paidInCash.contains(amount.value) { score += 35 }
        if given.contains(amount.value) { score -= 45 }
        if isBillWithTip(amount) { score += 60 }
        return score
    }

    /// Whether the amount is the amount paid, which is the bill plus the tip. Either a label says so, or the amount is
    /// printed beside or after the tip and equals the sum.
    private func isBillWithTip(_ amount: Amount) -> Bool {
        if isNamedWithTip(amount) { return true }
        guard let tip else { return false }
        return amount.value > 2 * tip.value && known.contains(amount.value - tip.value) && amount.line >= tip.line - 1
    }

    private func isNamedWithTip(_ amount: Amount) -> Bool { namedWithTip[amount.line]?.contains(amount.value) ?? false }

    /// Whether the tip and the amount paid follow the amount.
    private func isBillBeforeTip(_ amount: Amount) -> Bool {
        amounts.contains { paid in
            guard paid.line > amount.line, paid.value > amount.value else { return false }
            if let tip, tip.line > amount.line, paid.line >= tip.line, amount.value > tip.value,
                paid.value == amount.value + tip.value
            {
                return true
            }
            return PaperTips.isWithTip(paid.value, of: amount.value) && isNamedWithTip(paid)
        }
    }

    /// Whether a net amount and a tax of 2.4 to 27 percent of it add up to the value.
    private func isSumWithTax(_ value: Int64, within slack: Int64) -> Bool {
        known.contains { net in
            let tax = value - net
            guard tax > 0, tax < net, tax * 1_000 >= net * 24, tax * 100 <= net * 27 else { return false }
            return (tax - slack...tax + slack).contains(where: known.contains)
        }
    }

    /// Whether a line above has a larger amount. A total is rarely smaller than an amount above it.
    private func isLessThanLineAbove(_ index: Int) -> Bool {
        amounts[..<index].contains { other in
            other.value > amounts[index].value && other.line < amounts[index].line && !given.contains(other.value)
                && !lines[other.line].has(PaperWords.notes)
        }
    }

    /// Whether a smaller total follows the amount and is the amount less a deduction, or has a label for the rest after
    /// a deduction.
    private func isBeforeDeduction(_ index: Int) -> Bool {
        let own = amounts[index]
        return amounts[index...].contains { rest in
            guard rest.line > own.line, rest.value < own.value else { return false }
            if isRest(rest, after: own.line) { return true }
            return deductions.contains(own.value - rest.value)
                && (lines[rest.line].has(PaperWords.paid) || lines[rest.line].has(PaperWords.finalAmount))
        }
    }

    /// Whether a label names the amount as a rest, and there is a deduction on the lines from `line` to the line of the
    /// amount. The deduction or the rest may be misread, so they need not add up to the bill.
    private func isRest(_ amount: Amount, after line: Int = 0) -> Bool {
        guard !deductions.isEmpty, lines[amount.line].has(PaperWords.rests), line <= amount.line else { return false }
        return lines[line...amount.line].contains { line in
            line.has(PaperWords.deductions) && line.figures.contains { $0.amount != nil }
        }
    }

    /// Whether the last amounts of two or more lines directly above add up to the value.
    private func isSumOfLinesAbove(_ index: Int) -> Bool {
        let own = amounts[index]
        var sum: Int64 = 0
        var count = 0
        var line = own.line
        for other in amounts[..<index].suffix(80).reversed() where other.line != line {
            line = other.line
            sum += other.value
            count += 1
            if sum == own.value, count > 1 { return true }
            if sum > own.value { return false }
        }
        return false
    }
}
