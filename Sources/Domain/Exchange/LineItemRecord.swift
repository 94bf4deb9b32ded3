/// One record of an exchanged table: a purchased item with its price, store and day.
package struct LineItemRecord: Hashable, Sendable {
    /// The name, trimmed; 1 to 200 characters.
    package let name: String
    /// The price of the whole line.
    package let price: Money
    /// The quantity; one piece if the table has no quantities. Positive in tables written by people. An export may also
    /// have zero for an unknown quantity, and negative quantities for returns.
    package let quantity: Quantity
    /// The price of one unit of `quantity`; nil if none was printed or the table has no such column.
    package var unitPrice: UnitPrice?
    /// Nil when the column is empty.
    package let category: String?
    /// Nil when the column is empty.
    package let store: String?
    package let day: LocalDate
    /// Nil when the table has no such column.
    package var kind: Kind?
    /// Distinguishes receipts of the same store and day; nil if the table has no such column.
    package var receipt: String?
    /// Whether `price` has the opposite sign of the figure in the table, because the line is a reduction without a
    /// minus sign.
    package var hasInvertedSign = false

    package init(
        name: String, price: Money, quantity: Quantity = .one, unitPrice: UnitPrice? = nil, category: String?,
        store: String?, day: LocalDate, kind: Kind? = nil, receipt: String? = nil
    ) {
        self.name = name
        self.price = price
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.category = category
        self.store = store
        self.day = day
        self.kind = kind
        self.receipt = receipt
    }

    /// Whether a line reduces the total, according to its kind. If the kind is nil, checks whether the name or the
    /// category is a word for a discount. Ignores figures and signs, as in `Rabatt 10 %`.
    static func isReduction(_ kind: Kind?, name: String, category: String) -> Bool {
        if let kind { return kind.line.isReduction }
        return [name, category].contains { text in
            text.utf8.count <= 60
                && Kind(parsing: text.split { !$0.isLetter }.joined(separator: " "))?.line == .discount
        }
    }

    package struct Kind: Hashable, Sendable {
        package let line: LineKind
        /// Whether the line is a discount on the last item before it.
        package let reducesPrecedingItem: Bool

        /// - Parameter reducesPrecedingItem: ignored for kinds other than discounts.
        package init(_ line: LineKind, reducesPrecedingItem: Bool = false) {
            self.line = line
            self.reducesPrecedingItem = reducesPrecedingItem && line == .discount
        }

        /// Parses the names in both languages, ignoring case. Nil for other words.
        package init?(parsing text: some StringProtocol) {
            guard let known = Self.names[FoldedText.fold(text)] else { return nil }
            self = known
        }

        /// The name of the kind: `Artikel`; `Rabatt` for a discount of an item, `Rabatt ohne Artikel` for any other
        /// discount.
        package func label(_ language: Language) -> String {
            guard line == .discount, !reducesPrecedingItem else { return line.label(language) }
            return language == .german ? "Rabatt ohne Artikel" : "Discount without item"
        }

        private static let names: [String: Kind] = {
            let kinds = LineKind.allCases.map { Kind($0, reducesPrecedingItem: true) } + [Kind(.discount)]
            let names = kinds.flatMap { kind in
                Language.allCases.map { (FoldedText.fold(kind.label($0)), kind) }
            }
            return Dictionary(names) { first, _ in first }
        }()
    }
}
