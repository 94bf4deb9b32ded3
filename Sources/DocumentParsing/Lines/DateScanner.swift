import Domain

/// Finds days and times of day on a line.
enum DateScanner {
    struct Day: Sendable, Equatable {
        var date: LocalDate
        var range: Range<Int>
    }

    struct Clock: Sendable, Equatable {
        var time: LocalTime
        var range: Range<Int>
    }

    struct Findings: Sendable, Equatable {
        var days: [Day] = []
        /// A doubtful day, found only if the line has no other day. Letters were read in place of digits, or only
        /// blanks separate the numbers. It is possible that they are not a date.
        var restoredDay: Day?
        var clocks: [Clock] = []
        /// Whether the line contains an invalid or damaged day: `31.02.2026`, `D7.1O.2025`.
        var hasBrokenDay = false
    }

    static func scan(_ text: [Unicode.Scalar], asOf today: LocalDate) -> Findings {
        var findings = Findings()
        var position = 0
        while position < text.count {
            guard text[position].isDigit, text[safe: position - 1]?.isDigit != true else {
                position += 1
                continue
            }
            if let (day, end) = dottedDay(text, position) ?? MonthName.day(text, position) {
                if let day, day.isPlausiblePurchaseDay(asOf: today) {
                    findings.days.append(Day(date: day, range: position..<end))
                } else {
                    findings.hasBrokenDay = true
                }
                position = end
            } else if let (day, time, end) = gluedDay(text, position) ?? compact(text, position)
                ?? looseDay(text, position, asOf: today),
                day.isPlausiblePurchaseDay(asOf: today)
            {
                let day = Day(date: day, range: position..<end)
                if isSeparatedByBlanks(text[day.range]) {
                    findings.restoredDay = day
                } else {
                    findings.days.append(day)
                }
                findings.clocks.append(Clock(time: time, range: position..<end))
                position = end
            } else if let (clock, end) = clock(text, position) {
                findings.clocks.append(Clock(time: clock, range: position..<end))
                position = end
            } else {
                while position < text.count, text[position].isDigit { position += 1 }
            }
        }
        if findings.days.isEmpty, findings.clocks.isEmpty, hasDamagedClock(text) { findings.hasBrokenDay = true }
        if !findings.days.isEmpty {
            findings.restoredDay = nil
        } else if let range = damagedDay(text) {
            findings.hasBrokenDay = true
            let digits = text[range].map { Confusions.digit($0).flatMap { Unicode.Scalar(48 + UInt32($0)) } ?? $0 }
            if let day = dottedDay(digits, 0)?.day, day.isPlausiblePurchaseDay(asOf: today) {
                findings.restoredDay = Day(date: day, range: range)
            }
        }
        return findings
    }

    /// Reads `02.03.2020`, `5.09.15`, `2020-03-02`, `21/11/2026` or `2. 3. 2020`; the day is nil if it does not exist.
    private static func dottedDay(_ text: [Unicode.Scalar], _ start: Int) -> (day: LocalDate?, end: Int)? {
        var numbers: [(value: Int, length: Int)] = []
        var separators: [Unicode.Scalar] = []
        var hasComma = false
        // Whether a separator has a blank beside it, which happens only on poor print: `28 .03 .2023`, `2023 -03-28`.
        var isSpaced = false
        var position = start
        while numbers.count < 3 {
            // An apostrophe before the year: `07.03.'26`.
            if numbers.count == 2, let mark = text[safe: position], mark == "'" || mark == "’" { position += 1 }
            let from = position
            while position < text.count, text[position].isDigit, position - from < 5 { position += 1 }
            guard position > from else { return nil }
            numbers.append((Int(PrintedLine.string(text[from..<position])) ?? 0, position - from))
            if numbers.count == 3 { break }
            if text[safe: position] == " " {
                isSpaced = true
                position += 1
            }
            // Poor print turns points into commas.
            guard let printed = text[safe: position], case let separator = printed == "," ? "." : printed,
                separator == "." || separator == "-" || separator == "/"
            else { return nil }
            hasComma = hasComma || printed == ","
            separators.append(separator)
            position += 1
            if text[safe: position] == " ", text[safe: position + 1]?.isDigit == true {
                isSpaced = isSpaced || separator != "."
                position += 1
            }
        }
        // `2022-01-2717:19`: the blank before the time was lost.
        if numbers.map(\.length) == [4, 2, 4], separators[1] == "-", text[safe: position] == ":" {
            numbers[2] = (numbers[2].value / 100, 2)
            position -= 2
        }
        // `24.12. 08:00` is a day without a year, followed by a time.
        guard separators[0] == separators[1], text[safe: position]?.isDigit != true || numbers[0].length == 4,
            text[safe: position] != ":",
            text[safe: start - 1].map({ $0 != "." && $0 != "," && $0 != "/" && $0 != "-" }) ?? true
                || endsLabel(text, start)
        else { return nil }
        let lengths = numbers.map(\.length)
        if hasComma, lengths != [2, 2, 4] { return nil }
        if isSpaced, lengths != [2, 2, 4] && lengths != [4, 2, 2] || numbers[1].value > 12 { return nil }
        var isYearFirst = false
        if separators[0] == "-" || (separators[0] != "." && lengths[0] == 4) {
            // The year is the first number, except in dates such as `20-5-2026`.
            isYearFirst = lengths[0] > 2 || lengths[1] > 2 || lengths[2] != 4
            // `07-03-26 13:28` begins with the day. Three two-digit numbers without a time can be something other than
            // a date.
            if lengths == [2, 2, 2], separators[0] == "-", text[safe: position] == " ",
                clock(text, position + 1) != nil
            {
                isYearFirst = false
            }
            if isYearFirst, lengths != [4, 2, 2] { return nil }
        } else {
            guard lengths[0] <= 2, lengths[1] <= 2, lengths[2] == 2 || lengths[2] == 4 else { return nil }
        }
        let (year, day) = isYearFirst ? (numbers[0], numbers[2]) : (numbers[2], numbers[0])
        let date = LocalDate(
            year: year.length == 2 ? 2_000 + year.value : year.value, month: numbers[1].value, day: day.value)
        return (date, position)
    }

    /// Whether the point before the day ends a label: `Dat.31.05.2014`.
    private static func endsLabel(_ text: [Unicode.Scalar], _ start: Int) -> Bool {
        text[safe: start - 1] == "." && text[safe: start - 2]?.isLatinLetter == true
            && text[safe: start - 3]?.isLatinLetter == true
    }

    /// Reads `21.04.2015:52` and `5.091519:20`: separators before the hour, perhaps also before the year, were lost.
    private static func gluedDay(_ text: [Unicode.Scalar], _ start: Int) -> (day: LocalDate, time: LocalTime, end: Int)?
    {
        var digits: [Int] = []
        var points = 0
        var position = start
        while position < text.count, position - start <= 13 {
            if text[position].isDigit {
                digits.append(Int(text[position].digitValue))
            } else if text[position] == ".", points < 2, digits.count == 1 || digits.count == 2 || digits.count == 4 {
                points += 1
            } else {
                break
            }
            position += 1
        }
        guard points >= 1, text[safe: position] == ":", digits.count == 7 || digits.count == 8,
            text[safe: start - 1].map({ $0 != "." && $0 != "," }) ?? true,
            let tens = text[safe: position + 1], let ones = text[safe: position + 2], tens.isDigit, ones.isDigit,
            text[safe: position + 3]?.isDigit != true
        else { return nil }
        if digits.count == 7 { digits.insert(0, at: 0) }
        func pair(_ index: Int) -> Int { digits[index] * 10 + digits[index + 1] }
        guard let day = LocalDate(year: 2_000 + pair(4), month: pair(2), day: pair(0)),
            let time = LocalTime(hour: pair(6), minute: Int(tens.digitValue * 10 + ones.digitValue))
        else { return nil }
        return (day, time, position + 3)
    }

    /// Reads a time: `14:28`, `14:28:10`, `Uhrzeit:14:28`.
    static func clock(_ text: [Unicode.Scalar], _ start: Int) -> (time: LocalTime, end: Int)? {
        var numbers: [Int] = []
        var position = start
        while numbers.count < 3 {
            let from = position
            while position < text.count, text[position].isDigit, position - from < 3 { position += 1 }
            guard numbers.isEmpty ? (1...2).contains(position - from) : position - from == 2 else { return nil }
            numbers.append(Int(PrintedLine.string(text[from..<position])) ?? 0)
            guard text[safe: position] == ":", text[safe: position + 1]?.isDigit == true else { break }
            position += 1
        }
        guard numbers.count >= 2, text[safe: position]?.isDigit != true,
            text[safe: start - 1] != ":" || followsWord(text, start - 1) && text[safe: position] != ":",
            let time = LocalTime(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
        else { return nil }
        return (time, position)
    }

    /// Whether the colon ends a word of at least four letters. Otherwise it may separate bytes of a signature.
    private static func followsWord(_ text: [Unicode.Scalar], _ colon: Int) -> Bool {
        colon >= 4 && text[(colon - 4)..<colon].allSatisfy(\.isLatinLetter)
    }

    /// Reads a day and a time in the form of card slips: `20210923 142810` and `20210923T142810`.
    private static func compact(_ text: [Unicode.Scalar], _ start: Int) -> (day: LocalDate, time: LocalTime, end: Int)?
    {
        var end = start
        while end < text.count, text[end].isDigit { end += 1 }
        guard end - start == 8, let day = LocalDate(parsing: PrintedLine.string(text[start..<end])),
            day.year >= 2000
        else { return nil }
        var next = end
        if text[safe: next] == " " || text[safe: next] == "T" { next += 1 }
        var last = next
        while last < text.count, text[last].isDigit { last += 1 }
        guard last - next == 6, next > end, let number = Int(PrintedLine.string(text[next..<last])),
            let time = LocalTime(hour: number / 10_000, minute: number / 100 % 100, second: number % 100)
        else { return nil }
        return (day, time, last)
    }
}
