import Domain
import Recognition

/// The days of a paper: the day of the purchase, and the day by which it must be paid.
struct PaperDays {
    let purchases: [PaperReading.Candidate<LocalDate>]
    let due: PaperReading.Candidate<LocalDate>?

    /// The latest accepted due day, in days after today.
    private static let maximumDaysUntilDue = 400

    init(_ lines: [PaperLine], asOf today: LocalDate) {
        var found: [PaperReading.Candidate<LocalDate>] = []
        var due: [PaperReading.Candidate<LocalDate>] = []
        let scanned = lines.map { DateScanner.scan($0.line.text, asOf: today) }
        let counts = Dictionary(scanned.flatMap { $0.days.map { ($0.date, 1) } }, uniquingKeysWith: +)
        for (index, line) in lines.enumerated() {
            let above =
                index > 0 && scanned[index - 1].days.isEmpty && !lines[index - 1].words.isEmpty ? lines[index - 1] : nil
            let isDueLine = line.has(PaperWords.dues) || above?.has(PaperWords.dues) == true
            let findings =
                isDueLine
                ? DateScanner.scan(line.line.text, asOf: today.adding(days: Self.maximumDaysUntilDue)) : scanned[index]
            for day in findings.days {
                let label = line.label(of: day.range, findings.days.map(\.range), above: above)
                func has(_ words: PaperWordSet) -> Bool { label.contains(where: words.contains) }
                func candidate(_ score: Int) -> PaperReading.Candidate<LocalDate> {
                    PaperReading.Candidate(
                        value: day.date, text: String(String.UnicodeScalarView(line.line.text[day.range])),
                        page: line.page, box: line.line.box(day.range), score: score)
                }
                if isDueLine, has(PaperWords.dues) || findings.days.count == 1 && !has(PaperWords.issued) {
                    due.append(candidate(0))
                    continue
                }
                guard day.date <= today else { continue }
                var score = 20
                let isUsed = has(PaperWords.used)
                if has(PaperWords.ordered) {
                    score += 20
                } else if has(PaperWords.issued) {
                    score += 25
                } else if isUsed {
                    score += 8
                }
                if has(PaperWords.otherDays) { score -= 25 }
                if !findings.clocks.isEmpty, !isUsed { score += 15 }
                score += min(3, (counts[day.date] ?? 1) - 1) * 8
                score += (100 - line.height) / 20
                found.append(candidate(score))
            }
        }
        purchases = PaperReading.Candidate.best(found, minimumScore: -20)
        self.due = due.last
    }
}
