extension Month {
    /// Reads what people type where the browser has no field for months: `2026-11`, `11/2026`, `11.2026`, `November 2026`,
    /// `Nov. 2026`. Names are German or English, and may be cut to three or more letters.
    package init?(entered text: some StringProtocol) {
        guard text.utf8.count <= 40 else { return nil }
        let parts = text.split { " \u{A0}./".contains($0) }
        if parts.count == 1, let month = Month(parsing: parts[0]) {
            self = month
            return
        }
        guard parts.count == 2, let number = Self.number(parts[0]),
            let month = Month(parsing: "\(parts[1])-\(padded(number, 2))")
        else { return nil }
        self = month
    }

    /// 1…12 for `3`, `03`, `März` and `Mar`.
    private static func number(_ text: some StringProtocol) -> Int? {
        if text.utf8.count <= 2, text.utf8.allSatisfy(\.isDigit) { return Int(text) }
        let folded = FoldedText.fold(text)
        guard folded.utf8.count >= 3 else { return nil }
        return names.firstIndex { $0.contains { FoldedText.fold($0).hasPrefix(folded) } }.map { $0 + 1 }
    }

    private static let names = [
        ["Januar", "Jänner", "January"], ["Februar", "February"], ["März", "March"], ["April"], ["Mai", "May"],
        ["Juni", "June"], ["Juli", "July"], ["August"], ["September"], ["Oktober", "October"], ["November"],
        ["Dezember", "December"],
    ]
}
