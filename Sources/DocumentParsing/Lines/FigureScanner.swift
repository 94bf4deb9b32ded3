/// Finds the figures of a line in one pass from left to right.
enum FigureScanner {
    /// The figures in the first scalars of a word.
    static func figures(in word: some StringProtocol, maximumLength: Int = 40) -> [Figure] {
        figures(in: Array(word.unicodeScalars.prefix(maximumLength)))
    }

    static func figures(in text: [Unicode.Scalar]) -> [Figure] {
        var result: [Figure] = []
        var position = 0
        while position < text.count {
            guard text[position].isDigit else {
                position += 1
                continue
            }
            let start = position
            let (figure, end) = figure(in: text, from: start)
            if let figure { result.append(figure) }
            position = max(end, start + 1)
        }
        return result
    }

    /// Groups of digits with the separators between them.
    private struct Groups {
        var groups: [Range<Int>] = []
        var separators: [Unicode.Scalar] = []
        /// The position after the last group.
        var end = 0
        var isSplit = false

        var start: Int { groups[0].lowerBound }

        /// Whether the groups are an amount: digits, a comma and two decimals.
        var isAmount: Bool { separators == [","] && groups[1].count == 2 }
    }

    private static func groups(_ text: [Unicode.Scalar], from start: Int) -> Groups {
        var found = Groups()
        var position = start
        while position < text.count {
            let groupStart = position
            while position < text.count, text[position].isDigit { position += 1 }
            found.groups.append(groupStart..<position)
            guard position < text.count else { break }
            if isSeparator(text[position]), position + 1 < text.count, text[position + 1].isDigit {
                found.separators.append(text[position])
                position += 1
            } else if found.separators.isEmpty, let next = splitDecimals(text, at: position) {
                found.isSplit = text[position] != ","
                found.separators.append(",")
                position = next
            } else {
                break
            }
        }
        found.end = position
        // `1,0,95`: the end of a name touches an amount.
        if found.separators == [",", ","], found.groups[2].count == 2, found.groups[0].count <= 2 {
            found.groups.removeFirst()
            found.separators.removeFirst()
        }
        // `0,158.1,19.0,19`: the blanks between amounts were read as points.
        if found.separators.starts(with: [",", ".", ","]) {
            found.groups = Array(found.groups.prefix(2))
            found.separators = [","]
            found.end = found.groups[1].upperBound
        }
        return found
    }

    /// Reads the figure at `start`, and returns it with the position after it. The figure is nil for a date, a time, or
    /// a telephone or card number.
    private static func figure(in text: [Unicode.Scalar], from start: Int) -> (figure: Figure?, end: Int) {
        let groups = groups(text, from: start)
        let start = groups.start
        var end = groups.end
        // Digits that continue as a date, a time or a code are not a figure, unless they have a comma and two decimals.
        if !groups.isAmount {
            if let before = text[safe: start - 1], before == "/" || before == ":" || before == "#" { return (nil, end) }
            if let after = text[safe: end], after == ":" || after == "/", text[safe: end + 1]?.isDigit == true {
                return (nil, end)
            }
        }
        guard let (digits, count, decimals) = value(text, groups) else { return (nil, end) }
        // `49.-`, `1'249.–`: dashes instead of cents.
        if let dashes = dashedCents(text, at: end), decimals == 0, count <= 8 {
            // `-5.-`: the first dash is a sign.
            let sign = text[safe: start - 1].map(isMinus) ?? false && (text[safe: start - 2].map { $0 == " " } ?? true)
            return (
                Figure(
                    range: (sign ? start - 1 : start)..<dashes, unscaledValue: digits * 100, digitCount: count + 2,
                    decimals: 2, isNegative: sign, isPercent: false), dashes
            )
        }
        let sign = signBefore(text, start, isAmount: groups.isAmount, decimals: decimals)
        var isNegative = sign != nil
        if !isNegative, decimals == 2, let sign = text[safe: end], isMinus(sign), text[safe: end + 1]?.isDigit != true {
            // A minus after the figure: `0,25- D`, `0,45-V`.
            isNegative = true
            end += 1
        }
        // In `0,25%C` the percent sign is a misread asterisk before the class.
        let isMark = groups.isAmount && text[safe: end + 1].map(\.isLatinLetter) ?? false && end + 2 >= text.count
        let percent = !isMark && text[safe: end] == "%" || (text[safe: end] == " " && text[safe: end + 1] == "%")
        return (
            Figure(
                range: (sign ?? start)..<end, unscaledValue: digits, digitCount: count, decimals: decimals,
                isNegative: isNegative, isPercent: percent, isSplit: groups.isSplit), end
        )
    }

    /// The position of a minus before the figure at `start`: `-0,50`, ` - 0,50`, `-£0,50`.
    private static func signBefore(_ text: [Unicode.Scalar], _ start: Int, isAmount: Bool, decimals: Int) -> Int? {
        if let sign = text[safe: start - 1], isMinus(sign), text[safe: start - 2]?.isDigit != true,
            text[safe: start - 2]?.isLatinLetter != true || isAmount
        {
            return start - 1
        }
        guard decimals == 2 else { return nil }
        if text[safe: start - 1] == " ", let sign = text[safe: start - 2], isMinus(sign), text[safe: start - 3] == " " {
            return start - 2
        }
        return signBeforeCurrency(text, start)
    }

    private static func signBeforeCurrency(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
        var position = start - 1
        if text[safe: position] == " " { position -= 1 }
        guard let currency = text[safe: position], "€£$".unicodeScalars.contains(currency) else { return nil }
        position -= 1
        if text[safe: position] == " " { position -= 1 }
        guard let sign = text[safe: position], isMinus(sign), text[safe: position - 1].map({ $0 == " " }) ?? true else {
            return nil
        }
        return position
    }

    /// The start of the two decimals in `, 99`, `. 99` or ` ,99`. Three decimals are accepted only before `kg`.
    private static func splitDecimals(_ text: [Unicode.Scalar], at position: Int) -> Int? {
        let first = text[position]
        var next: Int?
        if first == "," || first == ".", text[safe: position + 1] == " " {
            next = position + 2
        } else if first == " ", let comma = text[safe: position + 1], comma == "," || comma == "." {
            next = position + 2
        }
        guard let next else { return nil }
        var end = next
        while text[safe: end]?.isDigit == true { end += 1 }
        if end - next == 3 {
            if text[safe: end] == " " { end += 1 }
            return text[safe: end].map { "kKg".unicodeScalars.contains($0) } ?? false ? next : nil
        }
        // `24. 12. 08:00` is not an amount.
        guard end - next == 2, first == "," || (text[safe: end] != "." && text[safe: end] != ":") else { return nil }
        return next
    }

    /// The position after `.-`, `,-`, `.--` or `,–`; nil if more digits follow, as in `05.01.-12.01.`
    private static func dashedCents(_ text: [Unicode.Scalar], at position: Int) -> Int? {
        guard let point = text[safe: position], point == "." || point == ",",
            let dash = text[safe: position + 1], isMinus(dash)
        else { return nil }
        var end = position + 2
        if let second = text[safe: end], isMinus(second) { end += 1 }
        if let after = text[safe: end], after != " " { return nil }
        // `10.- 12.`: a span of days.
        let next = text[end...].first { $0 != " " }
        return next.map(\.isDigit) ?? false ? nil : end
    }

    private static func value(
        _ text: [Unicode.Scalar], _ found: Groups
    ) -> (digits: Int64, count: Int, decimals: Int)? {
        let (lengths, separators) = (found.groups.map(\.count), found.separators)
        guard lengths.reduce(0, +) <= 12 else { return nil }
        var decimals = 0
        if let last = separators.last {
            let isGrouped =
                separators.dropLast().allSatisfy { $0 != last } && lengths.dropFirst().dropLast().allSatisfy { $0 == 3 }
            guard isGrouped, separators.count <= 3 else { return nil }
            // Apostrophes group thousands; they never precede decimals.
            decimals = last == "'" || last == "’" ? 0 : lengths[lengths.count - 1]
            if separators.count > 1, decimals == 3 { decimals = 0 }
        }
        let digits = found.groups.joined().reduce(0) { $0 * 10 + text[$1].digitValue }
        return (digits, lengths.reduce(0, +), decimals)
    }

    static func isMinus(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "-" || scalar == "\u{2212}" || scalar == "\u{2013}" || scalar == "\u{2014}" || scalar == "~"
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "," || scalar == "." || scalar == "'" || scalar == "’"
    }
}
