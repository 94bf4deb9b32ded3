import Domain
import Postgres

/// A printed name of a chain that is not matched to a product, with its latest line.
struct WaitingName: Sendable {
    /// The latest line with the name. Forms identify the name by this line.
    let line: ReceiptLineID
    let receipt: ReceiptID
    let chain: String
    /// The key of the printed name (`AliasKey`).
    let key: String
    let printedName: String
    /// The day of the latest purchase; nil if it is unknown.
    let day: LocalDate?
    /// The day of the first purchase; nil if it is unknown.
    let firstDay: LocalDate?
    let total: Money
    let quantity: Quantity

    /// The price per unit of the quantity, such as a piece or a kilogram.
    var unitPrice: UnitPrice? { try? UnitPrice(total, for: quantity) }

    /// The name, chain, price and quantity, from which the catalogue computes suggestions.
    var item: PrintedItem {
        PrintedItem(
            name: printedName, chain: ChainID(naming: chain), price: unitPrice.flatMap { try? $0.rounded() },
            quantity: quantity)
    }

    /// The package size in the name; nil for products sold by weight.
    var package: Quantity? { quantity.unit == .piece ? PackageSize(inName: printedName)?.total : nil }

    /// The guessed category as a key of `CategoryTemplate`.
    var categoryGuess: String? { CategoryTemplate.guess(name: printedName)?.key }

    /// Selects the waiting names, newest first.
    static func query(_ member: Member, limit: Int) -> SQL {
        let (unmatched, source) = WaitingNames.all(
            member, columns: "l.id, l.printed_name, l.total_minor, l.quantity_thousandths, l.unit")
        return """
            WITH \(unmatched)
            SELECT line, receipt, chain, key, printed_name, day, first_day, total, currency, quantity, unit FROM (
                SELECT DISTINCT ON (s.chain, l.alias_key) l.id AS line, r.id AS receipt, s.chain, l.alias_key AS key,
                    l.printed_name, r.purchase_day AS day,
                    min(r.purchase_day) OVER (PARTITION BY s.chain, l.alias_key) AS first_day,
                    l.total_minor AS total, r.currency, l.quantity_thousandths AS quantity, l.unit
                FROM \(source)
                ORDER BY s.chain, l.alias_key, r.purchase_day DESC NULLS LAST, l.id DESC) names
            ORDER BY day DESC NULLS LAST, receipt, line LIMIT \(Int32(limit))
            """
    }

    /// Selects the waiting names of these lines.
    static func find(_ lines: [ReceiptLineID], _ member: Member) -> SQL {
        """
        SELECT l.id, r.id, s.chain, l.alias_key, l.printed_name, r.purchase_day,
            (SELECT min(r.purchase_day) FROM receipt_line m
                JOIN receipt r ON r.household_id = m.household_id AND r.id = m.receipt_id
                JOIN store t ON t.household_id = r.household_id AND t.id = r.store_id
                WHERE m.household_id = l.household_id AND m.alias_key = l.alias_key AND m.kind = 'item'
                    AND m.product_id IS NULL AND t.chain = s.chain AND r.stage = \(Stage.confirmed.sql)
                    AND r.discarded_at IS NULL AND \(Visibility.isPublished())),
            l.total_minor, r.currency, l.quantity_thousandths, l.unit
        FROM \(WaitingNames.source(member)) AND l.id = ANY(\(lines))
        """
    }

    init(
        _ row: (
            ReceiptLineID, ReceiptID, String, String, String, LocalDate?, LocalDate?, Int64, Currency, Int64, StoredUnit
        )
    ) {
        let (line, receipt, chain, key, name, day, firstDay, amount, currency, thousandths, unit) = row
        (self.line, self.receipt, self.chain, self.key) = (line, receipt, chain, key)
        printedName = name
        (self.day, self.firstDay) = (day, firstDay)
        total = Money(minorUnits: amount, currency: currency)
        quantity = Quantity(thousandths: thousandths, unit: unit.unit)
    }

    static func decode(_ rows: Rows) throws -> [WaitingName] {
        try rows.decode(
            (
                ReceiptLineID, ReceiptID, String, String, String, LocalDate?, LocalDate?, Int64, Currency, Int64,
                StoredUnit
            ).self
        ).map { WaitingName($0) }
    }
}
