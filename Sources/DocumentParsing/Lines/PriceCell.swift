/// The amount at the right end of a line, with the VAT class that stands by it.
struct PriceCell: Sendable, Equatable {
    /// Scalars of the amount; the sign included.
    var range: Range<Int>
    /// Minor units; nil when something stands there that cannot be read.
    var value: Int64?
    /// As printed, for the reason of a repair.
    var printed: String
    /// False when the value had to be guessed from a damaged print.
    var isExact: Bool
    /// Other values the same print may mean, best first.
    var candidates: [Candidate] = []
    var vat: String?
    var end: Int

    struct Candidate: Sendable, Equatable, Hashable {
        enum Source: Int, Sendable, Comparable {
            /// Read once more, enlarged.
            case reread
            /// Another reading of the engine.
            case alternative
            /// All digits as printed, only the separator was lost.
            case separator
            /// The sign was not printed or lost.
            case sign
            /// A letter glued to the amount, or letters for digits.
            case letters
            /// One digit taken for its look-alike.
            case lookAlike
            /// A digit that was not read at all.
            case missing

            static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
        }

        var value: Int64
        var source: Source
    }
}

/// Finds the price of a line.
enum PriceScanner {
    /// The price cell of `line`, looking only behind scalar `from`.
    ///
    /// - Parameter lenient: also take damaged prints in the right part of the line.
    static func cell(
        in line: PrintedLine, figures: [Figure], from: Int = 0, lenient: Bool
    ) -> PriceCell? {
        let text = line.text
        for figure in figures.reversed() where figure.range.lowerBound >= from {
            guard let amount = figure.amount else { continue }
            let before = text[safe: figure.range.lowerBound - 1]
            if let before, before.isLatinLetter { continue }
            guard let (vat, end) = tail(text, figure.range.upperBound) else { break }
            return PriceCell(
                range: figure.range, value: amount, printed: line.string(figure.range), isExact: !figure.isSplit,
                vat: vat,
                end: end)
        }
        return lenient ? DamagedPrice.cell(in: line, figures: figures, from: from) : nil
    }

    /// What may stand behind a price: currency, a class of one or two signs, asterisks, a little dirt. Nil when more does.
    static func tail(_ text: [Unicode.Scalar], _ start: Int) -> (vat: String?, end: Int)? {
        var position = start
        var vat: String?
        var dirt = 0
        while position < text.count {
            if !isWordSign(text[position]) {
                position += 1
                continue
            }
            let from = position
            while position < text.count, isWordSign(text[position]) { position += 1 }
            let word = PrintedLine.string(text[from..<position])
            let upper = word.uppercased()
            if upper == "EUR" || upper == "EURO" || upper == "CHF" || upper == "€" || upper == "E U R" { continue }
            if vat == nil, dirt == 0, word.unicodeScalars.count <= 2, isClass(upper, glued: from == start) {
                vat = cleanClass(upper)
                continue
            }
            // `/kg`, `kg`, `x`: then the amount was a unit price.
            if upper.hasPrefix("KG") || upper.hasPrefix("/") || upper == "X" { return nil }
            dirt += word.unicodeScalars.count
            if dirt > 6 || word.unicodeScalars.count > 4 { return nil }
        }
        return (vat, position)
    }

    private static func isWordSign(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isDigit || scalar.isLatinLetter || scalar == "€" || scalar == "/" || scalar == "%"
    }

    /// One or two letters, or one digit that does not touch the amount.
    private static func isClass(_ word: String, glued: Bool) -> Bool {
        let scalars = Array(word.unicodeScalars)
        if scalars.count == 1, scalars[0].isDigit { return !glued }
        if scalars.allSatisfy({ ("A"..."Z").contains($0) }) { return word != "X" && word != "KG" && word != "ST" }
        return scalars.count == 1 && (scalars[0] == "€" || scalars[0] == "%" || scalars[0] == "Ä")
    }

    private static func cleanClass(_ word: String) -> String {
        switch word {
        case "€", "%": "C"
        case "Ä": "A"
        case "AU", "AN", "AK", "AM", "AI", "AL": "AW"
        case "BU", "BN", "BM": "BW"
        default: word
        }
    }
}

/// Reads what is left of a damaged price.
enum DamagedPrice {
    static func cell(in line: PrintedLine, figures: [Figure], from: Int) -> PriceCell? {
        // Only the last three words, and only where the prices stand.
        let candidates = line.words.indices.suffix(3)
        for index in candidates.reversed() {
            guard let first = line.wordAt.firstIndex(of: index), first >= max(from, 1) else { continue }
            var end = first
            while end < line.text.count, line.wordAt[end] == index, line.text[end] != " " { end += 1 }
            let word = Array(line.text[first..<end])
            guard let reading = read(word) else { continue }
            guard let (vat, tailEnd) = PriceScanner.tail(line.text, end) else { continue }
            return PriceCell(
                range: first..<end, value: reading.value, printed: line.string(first..<end), isExact: false,
                candidates: reading.candidates, vat: reading.vat ?? vat, end: tailEnd)
        }
        return nil
    }

    struct Reading {
        var value: Int64?
        var candidates: [PriceCell.Candidate]
        var vat: String?
    }

    /// The values a damaged word may stand for; nil when it does not look like a price at all.
    static func read(_ word: [Unicode.Scalar]) -> Reading? {
        guard (2...12).contains(word.count) else { return nil }
        var body = word
        var isNegative = false
        if let first = body.first, FigureScanner.isMinus(first) {
            isNegative = true
            body.removeFirst()
        }
        while let last = body.last, !last.isDigit, decoded(last) == nil || last.isLatinLetter, body.count > 3 {
            if FigureScanner.isMinus(last) { isNegative = true }
            body.removeLast()
        }
        let sign: Int64 = isNegative ? -1 : 1
        let digits = body.count(where: \.isDigit)
        guard digits >= 1 else { return nil }
        let separators = body.indices.filter { body[$0] == "," || body[$0] == "." }
        if separators.count >= 1, let first = separators.first, first >= 1, first <= 5 {
            let whole = body[..<first].compactMap(decoded)
            let rest = body[(first + 1)...].filter { $0 != "." && $0 != "," && $0 != "-" && $0 != "'" }
            let fraction = rest.prefix(while: { decoded($0) != nil }).compactMap(decoded)
            guard whole.count == first, digits * 2 >= whole.count + min(2, fraction.count) else { return nil }
            let wholeValue = whole.reduce(0) { $0 * 10 + $1 }
            if fraction.count >= 2 {
                let value = sign * (wholeValue * 100 + fraction[0] * 10 + fraction[1])
                let behind = rest.dropFirst(2).first
                return Reading(
                    value: value, candidates: [.init(value: value, source: .letters)],
                    vat: behind.flatMap(classLike))
            }
            if fraction.count == 1 {
                var values: [PriceCell.Candidate] = []
                for digit in Int64(0)...9 {
                    values.append(.init(value: sign * (wholeValue * 100 + fraction[0] * 10 + digit), source: .missing))
                    values.append(.init(value: sign * (wholeValue * 100 + digit * 10 + fraction[0]), source: .missing))
                }
                return Reading(value: nil, candidates: values, vat: nil)
            }
            return Reading(value: nil, candidates: [], vat: nil)
        }
        // `116` for 1,16: every digit is there, only the separator is not.
        if body.allSatisfy(\.isDigit), (3...5).contains(body.count) {
            let value = sign * body.reduce(0) { $0 * 10 + $1.digitValue }
            return Reading(value: value, candidates: [.init(value: value, source: .separator)], vat: nil)
        }
        return nil
    }

    private static func classLike(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "6", "€", "%", "0": "C"
        case "8": "B"
        case "A"..."Z": String(scalar)
        default: nil
        }
    }

    static func decoded(_ scalar: Unicode.Scalar) -> Int64? {
        if scalar.isDigit { return scalar.digitValue }
        switch scalar {
        case "O", "o", "D", "Q": return 0
        case "I", "l", "|", "i", "!", "]": return 1
        case "Z", "z": return 2
        case "S", "s", "$": return 5
        case "b", "G": return 6
        case "T": return 7
        case "B", "ß": return 8
        case "g", "q": return 9
        default: return nil
        }
    }
}
