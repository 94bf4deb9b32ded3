import Domain
import Recognition

/// The days of a paper: of the purchase, and until when it has to be paid.
struct PaperDays {
    let purchases: [PaperReading.Candidate<LocalDate>]
    let due: PaperReading.Candidate<LocalDate>?

    private static let issued: Set = [
        "datum", "rechnungsdatum", "belegdatum", "date", "kaufdatum", "ausgestellt", "ausfahrt", "bestelldatum",
        "kassa",
        "kasse", "beleg", "bon", "rechnung", "ende", "abreise", "fahrt", "reisedatum", "buchungsdatum", "kaufdatum",
        "verkauf",
    ]
    private static let others: Set = [
        "geburtsdatum", "geboren", "gueltig", "valid", "leistungszeitraum", "zeitraum", "anreise", "einfahrt", "stand",
        "lieferdatum", "liefertermin", "bestand", "rueckgabe", "umtausch", "naechste", "naechster",
    ]
    private static let dues: Set = [
        "faellig", "faelligkeit*", "zahlbar", "zahlungsziel", "due", "spaetestens", "zahlungsfrist", "abbuchung",
        "eingezogen",
        "einzug", "abgebucht",
    ]
    /// Days after today until which a payment can be due.
    private static let latest = 400

    init(_ lines: [PaperLine], asOf today: LocalDate) {
        var found: [PaperReading.Candidate<LocalDate>] = []
        var due: [PaperReading.Candidate<LocalDate>] = []
        let counts = Dictionary(
            lines.flatMap { DateScanner.scan($0.line.text, asOf: today).days.map(\.date) }.map { ($0, 1) },
            uniquingKeysWith: +)
        for (index, line) in lines.enumerated() {
            let above = index > 0 && lines[index - 1].figures.isEmpty ? lines[index - 1] : nil
            let isDue = line.has(Self.dues) || above?.has(Self.dues) == true
            let findings = DateScanner.scan(line.line.text, asOf: isDue ? today.adding(days: Self.latest) : today)
            for day in findings.days where !day.isMended {
                func candidate(_ score: Int) -> PaperReading.Candidate<LocalDate> {
                    PaperReading.Candidate(
                        value: day.date, text: String(String.UnicodeScalarView(line.line.text[day.range])),
                        page: line.page, box: line.line.box(day.range), score: score)
                }
                if isDue {
                    due.append(candidate(0))
                    continue
                }
                var score = 20
                if line.has(Self.issued) { score += 25 } else if above?.has(Self.issued) == true { score += 15 }
                if line.has(Self.others) || above?.has(Self.others) == true { score -= 30 }
                if !findings.clocks.isEmpty { score += 15 }
                score += min(3, (counts[day.date] ?? 1) - 1) * 8
                score += (100 - line.height) / 20
                if findings.days.count > 1 { score -= 8 }
                found.append(candidate(score))
            }
        }
        purchases = PaperReading.Candidate.best(found, least: 0)
        self.due = due.last
    }
}
