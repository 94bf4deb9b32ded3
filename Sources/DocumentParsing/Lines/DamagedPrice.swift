import Recognition

/// Reads damaged prices.
enum DamagedPrice {
    /// The price in the last three words of the line, from scalar `from` on; nil if none of them looks like a price.
    static func cell(in line: PrintedLine, from: Int) -> PriceCell? {
        // Only one of the last three words can be a price.
        let candidates = line.words.indices.suffix(3)
        for index in candidates.reversed() {
            guard let first = line.wordAt.firstIndex(of: index), first >= max(from, 1) else { continue }
            var end = first
            while end < line.text.count, line.wordAt[end] == index, line.text[end] != " " { end += 1 }
            let word = Array(line.text[first..<end])
            if let cell = splitCell(in: line, index, first..<end) { return cell }
            guard let reading = read(word), let tail = PriceScanner.tail(line.text, end) else { continue }
            return PriceCell(
                range: first..<end, value: reading.value, printed: line.string(first..<end), isExact: false,
                candidates: reading.candidates, vatClass: tail.vatClass ?? reading.vatClass)
        }
        return nil
    }

    /// Reads a price that was split into two words because its comma was lost: `1 98`.
    private static func splitCell(in line: PrintedLine, _ index: Int, _ range: Range<Int>) -> PriceCell? {
        let cents = line.text[range]
        guard index > 1, cents.count == 2, cents.allSatisfy(\.isDigit),
            let start = line.wordAt.firstIndex(of: index - 1),
            line.words[index].box.x - line.words[index - 1].box.maxX < line.words[index].box.height
        else { return nil }
        let whole = line.text[start..<(range.lowerBound - 1)]
        guard (1...3).contains(whole.count), whole.allSatisfy(\.isDigit),
            let tail = PriceScanner.tail(line.text, range.upperBound)
        else { return nil }
        let value = (whole + cents).number
        return PriceCell(
            range: start..<range.upperBound, value: value, printed: line.string(start..<range.upperBound),
            isExact: false, candidates: [.init(value: value, source: .separator)], vatClass: tail.vatClass)
    }

    struct Reading {
        /// In minor units; nil if a digit was not read.
        var value: Int64?
        var candidates: [PriceCell.Candidate]
        var vatClass: String?
    }

    /// The possible values of a damaged word; nil if it does not look like a price.
    static func read(_ word: [Unicode.Scalar]) -> Reading? {
        guard (2...12).contains(word.count), !isSize(word) else { return nil }
        var body = word
        var isNegative = false
        if let first = body.first, FigureScanner.isMinus(first) {
            isNegative = true
            body.removeFirst()
        }
        while let last = body.last, !last.isDigit, Confusions.digit(last) == nil || last.isLatinLetter, body.count > 3 {
            if FigureScanner.isMinus(last) { isNegative = true }
            body.removeLast()
        }
        let sign: Int64 = isNegative ? -1 : 1
        let digits = body.count(where: \.isDigit)
        guard digits >= 1 else { return nil }
        if let first = body.firstIndex(where: { $0 == "," || $0 == "." }), (1...5).contains(first) {
            let whole = body[..<first].compactMap(Confusions.digit)
            let rest = body[(first + 1)...].filter { $0 != "." && $0 != "," && $0 != "-" && $0 != "'" }
            let fraction = rest.prefix(while: { Confusions.digit($0) != nil }).compactMap(Confusions.digit)
            guard whole.count == first, digits * 2 >= whole.count + min(2, fraction.count) else { return nil }
            let wholeValue = whole.reduce(0) { $0 * 10 + $1 }
            if fraction.count >= 2 {
                let value = sign * (wholeValue * 100 + fraction[0] * 10 + fraction[1])
                let following = rest.dropFirst(2).first
                return Reading(
                    value: value, candidates: [.init(value: value, source: .letters)],
                    vatClass: following.flatMap(classLike))
            }
            if fraction.count == 1 {
                let cents = (Int64(0)...9).flatMap { [fraction[0] * 10 + $0, $0 * 10 + fraction[0]] }
                let values = cents.map { PriceCell.Candidate(value: sign * (wholeValue * 100 + $0), source: .missing) }
                return Reading(value: nil, candidates: values, vatClass: nil)
            }
            return Reading(value: nil, candidates: withUnreadableDecimal(wholeValue, rest, sign), vatClass: nil)
        }
        // `116` for 1,16: only the separator is missing.
        if body.allSatisfy(\.isDigit), (3...5).contains(body.count) {
            let value = sign * body.number
            return Reading(value: value, candidates: [.init(value: value, source: .separator)], vatClass: nil)
        }
        return dashed(body, sign)
    }

    /// Reads `270-8` for 2,70 B: comma and blank are lost, and the dash is a minus or dirt.
    private static func dashed(_ word: [Unicode.Scalar], _ sign: Int64) -> Reading? {
        let digits = word.prefix(while: \.isDigit)
        guard (3...4).contains(digits.count), word.count == digits.count + 2, FigureScanner.isMinus(word[digits.count]),
            let last = word.last, last.isDigit || last.isLatinLetter
        else { return nil }
        let value = sign * digits.number
        return Reading(
            value: nil,
            candidates: [.init(value: value, source: .separator), .init(value: -value, source: .sign)], vatClass: nil)
    }

    /// Whether the word is a size, a number with a unit: `200ST`, `750ML`.
    static func isSize(_ word: [Unicode.Scalar]) -> Bool {
        let digits = word.prefix(while: \.isDigit)
        guard !digits.isEmpty, digits.count < word.count else { return false }
        // A size with decimals: `2,5m`, `0,75L`.
        let decimals = word.dropFirst(digits.count + 1).prefix(while: \.isDigit)
        if word[digits.count] == "," || word[digits.count] == ".", (1...2).contains(decimals.count) {
            let unit = PrintedLine.string(word[(digits.count + 1 + decimals.count)...]).uppercased()
            return Lexicon.decimalSizes.contains(unit)
        }
        return Lexicon.wholeSizes.contains(PrintedLine.string(word[digits.count...]).uppercased())
    }

    /// The possible values of a price with one unreadable decimal: `3,°0`.
    private static func withUnreadableDecimal(
        _ whole: Int64, _ decimals: [Unicode.Scalar], _ sign: Int64
    ) -> [PriceCell.Candidate] {
        guard decimals.count == 2, let digit = decimals.first(where: \.isDigit)?.digitValue else { return [] }
        let isFirst = decimals[0].isDigit
        return (Int64(0)...9).map { other in
            let cents = isFirst ? digit * 10 + other : other * 10 + digit
            return PriceCell.Candidate(value: sign * (whole * 100 + cents), source: .missing)
        }
    }

    /// The tax class that a character after the price may be: a capital, or a sign that is a misread `C`.
    private static func classLike(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "€", "%": "C"
        case "A"..."Z": String(scalar)
        default: nil
        }
    }
}
