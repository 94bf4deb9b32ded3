import Recognition

/// Finds the price of a line.
enum PriceScanner {
    /// The price of `line`, searched from scalar `from` on.
    ///
    /// - Parameter lenient: also accepts damaged print in the right part of the line.
    static func cell(in line: PrintedLine, figures: [Figure], from: Int = 0, lenient: Bool) -> PriceCell? {
        let text = line.text
        for figure in figures.reversed() where figure.range.lowerBound >= from {
            guard let amount = figure.amount else { continue }
            let before = text[safe: figure.range.lowerBound - 1]
            if let before, before.isLatinLetter { continue }
            guard let tail = tail(text, figure.range.upperBound) else { break }
            return PriceCell(
                range: figure.range, value: amount, printed: line.string(figure.range), isExact: !figure.isSplit,
                candidates: lengthened(figure, amount, in: line), vatClass: tail.vatClass)
        }
        if let glued = glued(in: line, figures: figures, from: from) { return glued }
        return lenient ? DamagedPrice.cell(in: line, from: from) : nil
    }

    /// Reads an amount that touches the name: `MULTI1,79B`, `KL11,49`. Its first digits may belong to the name.
    private static func glued(in line: PrintedLine, figures: [Figure], from: Int) -> PriceCell? {
        guard let figure = figures.last, figure.range.lowerBound >= max(from, 1), let amount = figure.amount,
            line.text[figure.range.lowerBound - 1].isLatinLetter,
            let tail = tail(line.text, figure.range.upperBound)
        else { return nil }
        return PriceCell(
            range: figure.range, value: amount, printed: line.string(figure.range), isExact: false,
            candidates: shortened(amount), vatClass: tail.vatClass)
    }

    /// The value with the digits of the word directly before the amount. That word may be a part of the amount:
    /// `4 2,00`.
    private static func lengthened(_ figure: Figure, _ amount: Int64, in line: PrintedLine) -> [PriceCell.Candidate] {
        let index = line.wordIndices(figure.range).lowerBound
        guard index > 1, amount > 0, figure.range.lowerBound == line.wordAt.firstIndex(of: index),
            case (let before, let word) = (line.words[index - 1], line.words[index]),
            before.text.isNumber(1...2), before.text.first != "0", let digits = Int64(before.text),
            word.box.x - before.box.maxX < word.box.height
        else { return [] }
        let scale: Int64 = figure.digitCount <= 3 ? 1_000 : figure.digitCount == 4 ? 10_000 : 100_000
        return figure.digitCount > 5 ? [] : [.init(value: digits * scale + amount, source: .extra)]
    }

    /// The values without leading digits that may belong to the text before the amount: 11,49 → 1,49.
    static func shortened(_ amount: Int64) -> [PriceCell.Candidate] {
        var result: [PriceCell.Candidate] = []
        var scale: Int64 = 1_000
        while scale <= amount.magnitude, scale <= 100_000 {
            result.append(.init(value: amount % scale, source: .extra))
            scale *= 10
        }
        return result
    }

    /// Reads currency, a class of one or two characters, asterisks and dirt after a price; nil for any other word.
    static func tail(_ text: [Unicode.Scalar], _ start: Int) -> Tail? {
        var position = start
        var vatClass: String?
        var dirt = 0
        while position < text.count {
            if !isWordSign(text[position]) {
                position += 1
                continue
            }
            let from = position
            while position < text.count, isWordSign(text[position]) { position += 1 }
            if isFigure(text, from, markAt: position) { return nil }
            var word = PrintedLine.string(text[from..<position])
            if word.utf8.count == 2, word.hasPrefix("%") { word.removeFirst() }
            let upper = word.uppercased()
            if currencies.contains(upper) { continue }
            // `0,82 E A`: a euro sign read as a letter, then the class.
            if vatClass == nil || vatClass == "E", dirt == 0, word.unicodeScalars.count <= 2,
                isClass(upper, glued: from == start)
            {
                vatClass = cleanClass(upper)
                continue
            }
            // An amount before `/kg`, `kg` or `x 2` is a unit price. An `x` at the end is a misread asterisk.
            if upper.hasPrefix("KG") || upper.hasPrefix("/") { return nil }
            if upper == "X", text[position...].contains(where: \.isDigit) { return nil }
            dirt += word.unicodeScalars.count
            if dirt > 6 || word.unicodeScalars.count > 4 { return nil }
        }
        return Tail(vatClass: vatClass)
    }

    /// Whether a word and a decimal mark after it begin another figure: `2.501`, or `B.36` with a misread digit.
    private static func isFigure(_ text: [Unicode.Scalar], _ from: Int, markAt mark: Int) -> Bool {
        func isDigit(_ position: Int) -> Bool { text[safe: position]?.isDigit ?? false }
        guard let sign = text[safe: mark], sign == "." || sign == ",", isDigit(mark + 1) else { return false }
        if text[mark - 1].isDigit { return true }
        return isDigit(mark + 2) && text[from..<mark].allSatisfy { Confusions.digit($0) != nil }
    }

    /// The text after a price.
    struct Tail {
        /// Nil if no class is printed.
        let vatClass: String?
    }

    private static let currencies: Set<String> = [
        "EUR", "EURO", "EUROS", "€", "CHF", "FR", "SFR", "PLN", "ZŁ", "ZL", "LEI", "RON", "GBP", "USD", "CZK", "KČ",
        "HUF", "FT",
    ]

    private static func isWordSign(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isDigit || scalar.isLatinLetter || scalar == "€" || scalar == "/" || scalar == "%"
    }

    /// Whether the word is one or two letters, a digit apart from the amount, or a sign that is a misread letter.
    private static func isClass(_ word: String, glued: Bool) -> Bool {
        let scalars = Array(word.unicodeScalars)
        if scalars.count == 1, scalars[0].isDigit { return !glued }
        if scalars.allSatisfy({ ("A"..."Z").contains($0) }) { return word != "X" && word != "KG" && word != "ST" }
        return scalars.count == 1 && (scalars[0] == "€" || scalars[0] == "%" || scalars[0] == "Ä")
    }

    /// The class with a misread second letter corrected, and with a misread sign replaced by its letter.
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
