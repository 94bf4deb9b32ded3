extension LocalDate {
    /// Reads `21.11.2026`, `5.9.15`, `2026-11-21`, `20261121` and `21/11/2026`; two-digit years are 20xx.
    ///
    /// Nil for other forms and for days that do not exist.
    package init?(parsing text: some StringProtocol) {
        guard text.utf8.count <= 24 else { return nil }
        let body = String(text).filter { $0 != " " && $0 != "\u{A0}" }
        guard body.utf8.allSatisfy({ (45...57).contains($0) }) else { return nil }
        if body.utf8.count == 8, let digits = Int(body), !body.contains(where: { "-./".contains($0) }) {
            self.init(year: digits / 10_000, month: digits / 100 % 100, day: digits % 100)
            return
        }
        for separator in [".", "-", "/"] as [Character] {
            let parts = body.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 4 }) else { continue }
            let numbers = parts.compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            if separator == "-" {
                guard parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
                self.init(year: numbers[0], month: numbers[1], day: numbers[2])
            } else {
                guard parts[0].utf8.count <= 2, parts[1].utf8.count <= 2 else { return nil }
                switch parts[2].utf8.count {
                case 2: self.init(year: 2_000 + numbers[2], month: numbers[1], day: numbers[0])
                case 4: self.init(year: numbers[2], month: numbers[1], day: numbers[0])
                default: return nil
                }
            }
            return
        }
        return nil
    }

    /// `2026-11-21`, for JSON, `datetime` attributes and date fields.
    package var iso: String { "\(padded(year, 4))-\(padded(monthNumber, 2))-\(padded(day, 2))" }

    /// `21.11.2026` or `21 Nov 2026`.
    package func formatted(_ language: Language = .german) -> String {
        switch language {
        case .german: dayMonthYear
        case .english: "\(day) \(Self.englishMonths[monthNumber - 1]) \(year)"
        }
    }

    private static let englishMonths = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `21.11.2026`, written byte by byte for speed: pages show hundreds of days.
    private var dayMonthYear: String {
        let (year, month, day) = civil
        return String(unsafeUninitializedCapacity: 10) { buffer in
            var position = 0
            func write(_ byte: UInt8) {
                buffer[position] = byte
                position += 1
            }
            func write(_ number: Int, from highest: Int) {
                var digitValue = highest
                while digitValue > 0 {
                    write(0x30 + UInt8(number / digitValue % 10))
                    digitValue /= 10
                }
            }
            write(day, from: 10)
            write(UInt8(ascii: "."))
            write(month, from: 10)
            write(UInt8(ascii: "."))
            write(year, from: 1_000)
            return position
        }
    }
}

/// `number` with leading zeros up to `width` digits. `number` is not negative.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
