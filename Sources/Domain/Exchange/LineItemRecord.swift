/// One record of the exchange format `Name;Price;Category;Shop;Datum`, with `Menge;Einheit` and what else keeps a line
/// whole behind it: what was bought, for how much, where and when.
package struct LineItemRecord: Hashable, Sendable {
    /// Blanks cut at both ends; 1 to 200 characters.
    package let name: String
    /// Of the whole line.
    package let price: Money
    /// More than nothing where people wrote the table; one piece where it has no quantities. Zero where it is not known.
    package let quantity: Quantity
    /// For one unit of `quantity`; nothing where none was printed or the table has none.
    package var unitPrice: UnitPrice?
    /// Nothing when the column is empty.
    package let category: String?
    /// Nothing when the column is empty.
    package let shop: String?
    /// The day of the purchase.
    package let day: LocalDate
    /// Nothing where the table does not say it.
    package var kind: Kind?
    /// What keeps two receipts of one shop and day apart; nothing where the table does not.
    package var receipt: String?
    /// It takes something off and was written without a minus; `price` has one.
    package var isTurned = false

    package init(
        name: String, price: Money, quantity: Quantity = .one, unitPrice: UnitPrice? = nil, category: String?,
        shop: String?, day: LocalDate, kind: Kind? = nil, receipt: String? = nil
    ) {
        self.name = name
        self.price = price
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.category = category
        self.shop = shop
        self.day = day
        self.kind = kind
        self.receipt = receipt
    }

    /// Whether a line takes something off by what the table says of it: its kind, else that its name or its category is
    /// the word for discounts, whatever figures stand beside it.
    static func isTakenOff(_ kind: Kind?, name: String, category: String) -> Bool {
        if let kind { return kind.line.isTakenOff }
        return [name, category].contains { text in
            text.utf8.count <= 60
                && Kind(parsing: text.split { !$0.isLetter }.joined(separator: " "))?.line == .discount
        }
    }

    /// What a line is, as the table names it.
    package struct Kind: Hashable, Sendable {
        /// Which of the kinds of a receipt.
        package let line: LineKind
        /// A discount of the ware that stands directly before it, or before others of the same ware.
        package let isBound: Bool

        /// - Parameter isBound: of discounts only.
        package init(_ line: LineKind, isBound: Bool = false) {
            self.line = line
            self.isBound = isBound && line == .discount
        }

        /// Reads the names in both languages, whatever their case; nothing for other words.
        package init?(parsing text: some StringProtocol) {
            guard let known = Self.names[FoldedText.fold(text)] else { return nil }
            self = known
        }

        /// `Artikel`, `Rabatt` for that of the ware before, `Rabatt ohne Artikel` for one of no certain ware.
        package func label(_ language: Language) -> String {
            guard line == .discount, !isBound else { return line.label(language) }
            return language == .german ? "Rabatt ohne Artikel" : "Discount without item"
        }

        private static let names: [String: Kind] = {
            let kinds = LineKind.allCases.map { Kind($0, isBound: true) } + [Kind(.discount)]
            let names = kinds.flatMap { kind in
                Language.allCases.map { (FoldedText.fold(kind.label($0)), kind) }
            }
            return Dictionary(names) { first, _ in first }
        }()
    }
}

extension Currency {
    /// Reads the code or the sign, in a table's column: `EUR`, `€`, `CHF`; nothing for other words.
    package init?(parsing text: some StringProtocol) {
        let folded = FoldedText.fold(text)
        let found = Self.allCases.first {
            [FoldedText.fold($0.rawValue), FoldedText.fold($0.symbol)].contains(folded)
        }
        guard let found else { return nil }
        self = found
    }
}
