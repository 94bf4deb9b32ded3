import Domain
import Recognition

/// A line with everything that can be found without its neighbours.
struct ReadLine: Sendable {
    let line: PrintedLine
    private(set) var figures: [Figure]
    private(set) var dates: DateScanner.Findings
    private(set) var quantity: QuantityPhrase?
    private(set) var price: PriceCell?
    /// The best key word match of each role.
    private(set) var roles: [Role: PhraseMatch]

    init(_ line: PrintedLine, facts: ChainFacts, asOf today: LocalDate) {
        self.line = line
        let dates = DateScanner.scan(line.text, asOf: today)
        self.dates = dates
        let figures = FigureScanner.figures(in: line.text).filter { figure in
            !dates.days.contains { $0.range.overlaps(figure.range) }
                && !dates.clocks.contains { $0.range.overlaps(figure.range) }
        }
        self.figures = figures
        var roles: [Role: PhraseMatch] = [:]
        for role in Role.allCases { roles[role] = facts.match(role, line) }
        // `Zurück zum Ursprung Butter` is the name of an item, not change.
        if let change = roles[.change], roles[.payment] == nil {
            if line.words[(change.words.upperBound + 1)...].letterCount >= 8 { roles[.change] = nil }
        }
        if roles[.itemWord]?.distance == 0 { roles = roles.filter { $0.value.distance == 0 } }
        self.roles = roles
        let found = QuantityScanner.phrase(in: line.text, figures: figures)
        let last = figures.last { $0.amount != nil }
        let quantity: QuantityPhrase? = found.flatMap { phrase in
            let amount = last.flatMap { $0.range.lowerBound >= phrase.range.upperBound ? $0.amount : nil }
            return Self.isSize(phrase, line, amount: amount) || Self.isStarredClass(phrase, line) ? nil : phrase
        }
        self.quantity = quantity
        // The price follows the quantity, if there is one.
        price = PriceScanner.cell(
            in: line, figures: figures, from: quantity?.range.upperBound ?? 0,
            lenient: dates.days.isEmpty && (quantity == nil || figures.count > 2))
    }

    /// Whether the quantity is a size in the name: one word after a name, if quantity × unit price differs from the
    /// amount, as in `PILS KISTE 6X0,33` before 10,02.
    private static func isSize(_ phrase: QuantityPhrase, _ line: PrintedLine, amount: Int64?) -> Bool {
        guard phrase.unit == .piece, let product = phrase.product, let amount, let price = phrase.unitPriceRange
        else { return false }
        let start = min(phrase.quantityRange.lowerBound, price.lowerBound)
        let end = max(phrase.quantityRange.upperBound, price.upperBound)
        return product.magnitude != amount.magnitude && !line.text[start..<end].contains(" ")
            && line.text[..<phrase.range.lowerBound].hasName
    }

    /// Whether the count is a tax class at the end of the line, as in `BUTTERMILCH 500ML 0,79*2`.
    private static func isStarredClass(_ phrase: QuantityPhrase, _ line: PrintedLine) -> Bool {
        guard phrase.unit == .piece, let price = phrase.unitPriceRange,
            line.text[safe: price.upperBound] == "*", phrase.quantityRange.lowerBound == price.upperBound + 1,
            phrase.quantityRange.count == 1, phrase.quantityRange.upperBound == line.text.count
        else { return false }
        return line.text[..<price.lowerBound].hasName
    }

    /// Whether the quantity is a size in the name of an item with this amount.
    func isSize(forAmount amount: Int64?) -> Bool { quantity.map { Self.isSize($0, line, amount: amount) } ?? false }

    /// The unit price of a quantity after a name, if it is the last amount of the line. It may be the total instead:
    /// in `PILS KISTE 6X 60,76` the name ends with a size.
    var possibleTotal: Range<Int>? {
        guard price == nil, let quantity, let range = quantity.unitPriceRange,
            range.lowerBound >= quantity.quantityRange.upperBound,
            quantity.unit == .piece
                || QuantityScanner.isUnitAlone(line.text[quantity.quantityRange.upperBound..<range.lowerBound]),
            amounts.allSatisfy({ $0.range.upperBound <= range.upperBound })
        else { return nil }
        // `0,500 kg 1,00 B` below its name: unit prices have no tax class.
        let isClassed = quantity.unit != .piece && PriceScanner.tail(line.text, range.upperBound)?.vatClass != nil
        guard isClassed || line.text[..<quantity.range.lowerBound].hasName else {
            return nil
        }
        return range
    }

    /// Returns the line without a quantity. The last amount is then the price of the line, not a unit price.
    func withoutQuantity() -> ReadLine {
        var copy = self
        copy.quantity = quantity?.unit == .piece ? nil : QuantityScanner.weightAlone(in: line.text, figures: figures)
        copy.price = PriceScanner.cell(in: line, figures: figures, lenient: false)
        return copy
    }

    /// Returns the line with another price; nil for no price.
    func with(price: PriceCell?) -> ReadLine {
        var copy = self
        copy.price = price
        return copy
    }

    /// Returns the line without amounts, days and most key words, for fiscal data printed as text.
    func asFiscal() -> ReadLine {
        var copy = self
        copy.figures = []
        copy.dates = DateScanner.Findings()
        copy.quantity = nil
        copy.price = nil
        copy.roles = roles.filter { [.footer, .training, .cancelled].contains($0.key) }
        return copy
    }

    func has(_ role: Role) -> Bool { roles[role] != nil }

    /// Whether the line has a day or a time.
    var isDated: Bool { !dates.days.isEmpty || !dates.clocks.isEmpty }

    /// Whether the line begins with the key word, after at most three characters of dirt.
    func begins(with role: Role) -> Bool {
        roles[role].map { line.characters(before: $0.words.lowerBound) <= 3 } ?? false
    }

    /// Whether the line consists of exactly the key word.
    func isAlone(_ role: Role) -> Bool {
        guard let match = roles[role], match.distance == 0, price == nil, figures.isEmpty, dates.days.isEmpty else {
            return false
        }
        return line.characters(outside: match) == 0
    }

    /// Amounts with two decimals, without percentages.
    var amounts: [Figure] { figures.filter { $0.amount != nil } }

    /// The range where the name can be: before the price and the quantity.
    var nameRange: Range<Int> {
        var end = line.text.count
        if let price { end = min(end, price.range.lowerBound) }
        if let quantity, quantity.range.lowerBound < end { end = quantity.range.lowerBound }
        return 0..<end
    }
}
