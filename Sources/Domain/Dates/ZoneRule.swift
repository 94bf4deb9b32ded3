/// The yearly changes between standard and daylight saving time: the footer of a TZif file, a POSIX `TZ` string such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`. Only the `Mm.w.d` form of dates is read.
struct ZoneRule: Sendable {
    /// Seconds east of UTC.
    private let standardOffset: Int
    /// The daylight saving time; nil for a zone without it.
    private let daylight: (offset: Int, from: Change, until: Change)?

    /// A day of the year and the local time, in seconds after midnight, at which the offset changes.
    private struct Change {
        let month: Int
        /// 1…4, or 5 for the last one of the month.
        let week: Int
        /// 0 is Sunday.
        let weekday: Int
        let time: Int

        /// Seconds since 1970 in local time.
        func localSeconds(in year: Int) -> Int {
            let month = Month(year: year, number: month)
            let first = month.firstDay
            let firstMatch = ((weekday + 6) % 7 - first.weekday.rawValue + 7) % 7
            var day = firstMatch + 7 * (week - 1)
            while day >= month.dayCount { day -= 7 }
            return (first.dayNumber + day) * 86_400 + time
        }
    }

    init?(_ text: some StringProtocol) {
        var rest = Substring(text)
        guard Self.skipName(&rest), let standard = Self.seconds(&rest) else { return nil }
        standardOffset = -standard
        guard !rest.isEmpty else {
            daylight = nil
            return
        }
        guard Self.skipName(&rest) else { return nil }
        let offset = rest.first == "," ? standardOffset + 3_600 : Self.seconds(&rest).map { -$0 }
        let parts = rest.split(separator: ",")
        guard let offset, rest.first == ",", parts.count == 2, let from = Self.change(parts[0]),
            let until = Self.change(parts[1])
        else { return nil }
        daylight = (offset, from, until)
    }

    /// - Parameter seconds: since 1970, UTC.
    func offset(at seconds: Int) -> Int {
        guard let daylight else { return standardOffset }
        let year = LocalDate(dayNumber: (seconds + standardOffset).flooredQuotient(86_400)).year
        let start = daylight.from.localSeconds(in: year) - standardOffset
        let end = daylight.until.localSeconds(in: year) - daylight.offset
        let isDaylight = start < end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
        return isDaylight ? daylight.offset : standardOffset
    }

    /// Skips a name such as `CET` or `<+03>`.
    private static func skipName(_ text: inout Substring) -> Bool {
        let before = text.count
        if text.first == "<" {
            text = text.drop { $0 != ">" }.dropFirst()
        } else {
            text = text.drop(while: \.isLetter)
        }
        return text.count < before
    }

    /// Reads an offset such as `-1`, `5:30` or `+02:00:00`.
    private static func seconds(_ text: inout Substring) -> Int? {
        let sign = text.first == "-" ? -1 : 1
        if text.first == "-" || text.first == "+" { text = text.dropFirst() }
        let figure = text.prefix { $0.isNumber || $0 == ":" }
        text = text.dropFirst(figure.count)
        let parts = figure.split(separator: ":").map { Int($0) }
        guard (1...3).contains(parts.count), !parts.contains(nil) else { return nil }
        return sign * zip(parts, [3_600, 60, 1]).reduce(0) { $0 + ($1.0 ?? 0) * $1.1 }
    }

    /// Reads `M3.5.0` or `M10.5.0/3`. The time is 02:00 if none is given.
    private static func change(_ text: Substring) -> Change? {
        let parts = text.split(separator: "/")
        let numbers = (parts.first ?? "").dropFirst().split(separator: ".").compactMap { Int($0) }
        guard text.first == "M", numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]),
            (0...6).contains(numbers[2])
        else { return nil }
        var time = parts.count > 1 ? parts[1] : "2"
        return seconds(&time).map { Change(month: numbers[0], week: numbers[1], weekday: numbers[2], time: $0) }
    }
}

extension Int {
    /// Rounded towards negative infinity. `divisor` is positive.
    package func flooredQuotient(_ divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
