/// Reads and writes decimal figures as people, tills and spreadsheets write them. Uses no floating point.
package enum DecimalText {
    /// The maximum size of a figure in bytes; longer ones are `malformed`.
    package static let maximumBytes = 40

    /// Reads a figure and returns it times 10^`decimals`, exactly.
    ///
    /// Accepted: ASCII digits; comma or point as decimal separator; the other of the two, an apostrophe or a blank
    /// between groups of three digits; one sign before the digits (`-`, `+`, `−`), or a minus after them. When both
    /// comma and point occur, the last one is the decimal separator. No exponent, no other digits, no leading or
    /// trailing separator, no redundant leading zero.
    /// - Parameters:
    ///   - decimals: the number of decimals of the result, 0…9.
    ///   - limit: the largest magnitude of the result.
    /// - Throws: `empty`, `malformed`, `ambiguous`, `tooManyDecimals`, or `outOfRange` beyond ±`limit`.
    package static func parse(_ text: some StringProtocol, decimals: Int, limit: Int64) throws(NumberError) -> Int64 {
        guard text.utf8.count <= maximumBytes else { throw .malformed }
        var body = Array(text.unicodeScalars)
        trimBlanks(&body)
        guard !body.isEmpty else { throw .empty }
        let isNegative = try takeSign(&body)
        let (whole, fraction) = try split(body, decimals: decimals)
        guard fraction.count <= decimals else { throw .tooManyDecimals }

        var value: Int64 = 0
        for digit in whole + fraction + Array(repeating: 0, count: decimals - fraction.count) {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            guard !tooLarge, product <= limit - digit else { throw .outOfRange }
            value = product + digit
        }
        return isNegative ? -value : value
    }

    /// Whether the figure can also mean grouped thousands (`1.500` in German), where `parse` reads three decimals.
    static func mayBeThousands(_ text: some StringProtocol, in language: Language) -> Bool {
        var body = Array(text.unicodeScalars)
        trimBlanks(&body)
        _ = try? takeSign(&body)
        let separator = Unicode.Scalar(language.groupingSeparator)
        let parts = body.split(separator: separator, omittingEmptySubsequences: false)
        return parts.count == 2 && (1...3).contains(parts[0].count) && parts[0].first != "0" && parts[1].count == 3
            && parts.allSatisfy { $0.allSatisfy { ("0"..."9").contains($0) } }
    }

    /// Writes `value` / 10^`decimals` with at least `minimum` decimals; further trailing zeros are dropped.
    ///
    /// Use `isGrouped: false` for form fields: `1.500` would be read back as one and a half.
    package static func format(
        _ value: Int64, decimals: Int, minimum: Int, in language: Language, isGrouped: Bool = true
    ) -> String {
        let whole = value.magnitude.quotientAndRemainder(dividingBy: powersOfTen[decimals])
        // At most 19 digits, 6 group separators, a sign and a decimal separator. Written backwards into a buffer for
        // speed: pages have hundreds of figures.
        return String(unsafeUninitializedCapacity: 32) { buffer in
            var position = 32
            func write(_ byte: UInt8) {
                position -= 1
                buffer[position] = byte
            }
            var rest = whole.remainder
            var isKept = false
            for place in stride(from: decimals, to: 0, by: -1) {
                let digit = UInt8(rest % 10)
                rest /= 10
                isKept = isKept || place <= minimum || digit != 0
                if isKept { write(0x30 + digit) }
            }
            if isKept { write(language.decimalSeparator) }
            rest = whole.quotient
            var count = 0
            repeat {
                if isGrouped, count > 0, count.isMultiple(of: 3) { write(language.groupingSeparator) }
                write(0x30 + UInt8(rest % 10))
                rest /= 10
                count += 1
            } while rest > 0
            if value < 0 { write(UInt8(ascii: "-")) }
            for index in position..<32 { buffer[index - position] = buffer[index] }
            return 32 - position
        }
    }

    /// 10^0 … 10^9.
    private static let powersOfTen: [UInt64] = (0...9).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    /// The figure without grouping, with a decimal point and always `decimals` decimals (`-1234.50`), for JSON and SQL.
    package static func plain(_ value: Int64, decimals: Int) -> String {
        var digits = String(value.magnitude)
        if digits.count <= decimals {
            digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits
        }
        let sign = value < 0 ? "-" : ""
        return decimals == 0 ? sign + digits : "\(sign)\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\u{A0}" || scalar == "\u{202F}" || scalar == "\u{2009}"
    }

    private static func isMinus(_ scalar: Unicode.Scalar) -> Bool { scalar == "-" || scalar == "\u{2212}" }

    private static func trimBlanks(_ body: inout [Unicode.Scalar]) {
        while let last = body.last, isBlank(last) { body.removeLast() }
        body.removeFirst(body.prefix(while: isBlank).count)
    }

    /// Removes the sign. Returns whether it is a minus.
    private static func takeSign(_ body: inout [Unicode.Scalar]) throws(NumberError) -> Bool {
        var isNegative = false
        if let first = body.first, isMinus(first) || first == "+" {
            isNegative = isMinus(first)
            body.removeFirst()
        } else if let last = body.last, isMinus(last) {
            isNegative = true
            body.removeLast()
        }
        trimBlanks(&body)
        guard !body.isEmpty else { throw .malformed }
        return isNegative
    }

    /// The digits before and after the decimal separator.
    private static func split(
        _ body: [Unicode.Scalar], decimals: Int
    ) throws(NumberError) -> (whole: [Int64], fraction: [Int64]) {
        var groups: [[Int64]] = [[]]
        var separators: [Unicode.Scalar] = []
        for scalar in body {
            if ("0"..."9").contains(scalar) {
                groups[groups.count - 1].append(Int64(scalar.value - 48))
            } else if scalar == "." || scalar == "," || scalar == "'" || scalar == "\u{2019}" || isBlank(scalar) {
                separators.append(isBlank(scalar) ? " " : scalar == "\u{2019}" ? "'" : scalar)
                groups.append([])
            } else {
                throw .malformed
            }
        }
        guard !groups.contains(where: \.isEmpty) else { throw .malformed }
        let hasFraction = try endsInDecimals(separators, groups: groups, decimals: decimals)
        let fraction = hasFraction ? groups.removeLast() : []
        let grouping = hasFraction ? separators.dropLast() : separators[...]
        guard Set(grouping).count <= 1, !hasFraction || grouping.first != separators.last,
            groups.dropFirst().allSatisfy({ $0.count == 3 }), groups.count == 1 || groups[0].count <= 3,
            groups[0].count == 1 || groups[0][0] != 0, groups.count == 1 || groups[0][0] != 0
        else { throw .malformed }
        return (groups.flatMap { $0 }, fraction)
    }

    /// Whether the last separator is the decimal one.
    private static func endsInDecimals(
        _ separators: [Unicode.Scalar], groups: [[Int64]], decimals: Int
    ) throws(NumberError) -> Bool {
        guard let last = separators.last, last == "." || last == "," else { return false }
        let occurrences = separators.count(where: { $0 == last })
        if occurrences > 1 { return false }
        if separators.count == 1, groups[1].count == 3, decimals < 3, groups[0].count <= 3, groups[0][0] != 0 {
            throw .ambiguous
        }
        return true
    }
}
