import Recognition

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
            /// Quantity × unit price.
            case product
            /// Read once more, enlarged.
            case reread
            /// Another reading of the engine.
            case alternative
            /// All digits as printed, only the separator was lost.
            case separator
            /// The sign was not printed or lost.
            case sign
            /// Its first digits belong to what stands in front.
            case extra
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
        if let glued = glued(in: line, figures: figures, from: from) { return glued }
        return lenient ? DamagedPrice.cell(in: line, figures: figures, from: from) : nil
    }

    /// `MULTI1,79B`, `KL11,49`: the amount touches the name; of its first digits some may belong to the name.
    private static func glued(in line: PrintedLine, figures: [Figure], from: Int) -> PriceCell? {
        guard let figure = figures.last, figure.range.lowerBound >= max(from, 1), let amount = figure.amount,
            line.text[figure.range.lowerBound - 1].isLatinLetter,
            let (vat, end) = tail(line.text, figure.range.upperBound)
        else { return nil }
        var cell = PriceCell(
            range: figure.range, value: amount, printed: line.string(figure.range), isExact: false, vat: vat, end: end)
        cell.candidates = shortened(amount)
        return cell
    }

    /// What is left when leading digits belong to what stands in front: 11,49 → 1,49.
    static func shortened(_ amount: Int64) -> [PriceCell.Candidate] {
        var result: [PriceCell.Candidate] = []
        var scale: Int64 = 1_000
        while scale <= amount.magnitude, scale <= 100_000 {
            result.append(.init(value: amount % scale, source: .extra))
            scale *= 10
        }
        return result
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
            // `2.95  2.501`: another figure, no class.
            if text[position - 1].isDigit, let next = text[safe: position], next == "." || next == ",",
                text[safe: position + 1]?.isDigit ?? false
            {
                return nil
            }
            var word = PrintedLine.string(text[from..<position])
            if word.utf8.count == 2, word.hasPrefix("%") { word.removeFirst() }
            let upper = word.uppercased()
            if currencies.contains(upper) { continue }
            // `0,82 E A`: a euro sign read as a letter, then the class.
            if vat == nil || vat == "E", dirt == 0, word.unicodeScalars.count <= 2, isClass(upper, glued: from == start)
            {
                vat = cleanClass(upper)
                continue
            }
            // `/kg`, `kg`, `x 2`: then the amount was a unit price; an `x` at the end is an asterisk.
            if upper.hasPrefix("KG") || upper.hasPrefix("/") { return nil }
            if upper == "X", text[position...].contains(where: \.isDigit) { return nil }
            dirt += word.unicodeScalars.count
            if dirt > 6 || word.unicodeScalars.count > 4 { return nil }
        }
        return (vat, position)
    }

    private static let currencies: Set<String> = [
        "EUR", "EURO", "EUROS", "€", "CHF", "FR", "SFR", "PLN", "ZŁ", "ZL", "LEI", "RON", "GBP", "USD", "CZK", "KČ",
        "HUF", "FT",
    ]

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
