import Domain
import Postgres

/// Queries of the comparison pages.
struct CompareQueries: Sendable {
    let database: Database

    /// What the pages show in addition to prices.
    struct Facts: Sendable {
        let basket: [UsualBasket.BoughtProduct]
        /// The number of printed names that wait to be matched to a product.
        let newNameCount: Int64
        /// The household's currency. Only prices in it are compared.
        let currency: Currency
    }

    private struct PriceRow: RowDecodable {
        let product: ProductID
        let price: StoredPrice?

        init(from row: inout RowReader) throws(PostgresError) {
            product = try row.next()
            price = try StoredPrice.ifAny(from: &row)
        }
    }

    func facts(_ member: Member, today: LocalDate) async throws -> Facts {
        let rows = try await database.read(
            member.household,
            batch: [
                UsualBasket.statement(member.household, today: today), WaitingNames.count(member),
                "SELECT currency FROM household WHERE id = \(member.household)",
            ])
        return Facts(
            basket: try rows[0].decode(), newNameCount: try rows[1].first(Int64.self) ?? 0,
            currency: try rows[2].first(Currency.self) ?? .eur)
    }

    /// Loads the latest price of each of `products` in each store.
    func prices(_ products: [ProductID], _ household: HouseholdID) async throws -> [(ProductID, StoredPrice)] {
        try Self.prices(try await database.read(household, Self.newest(products, household)))
    }

    static func prices(_ rows: Rows) throws -> [(ProductID, StoredPrice)] {
        try rows.decode(PriceRow.self).compactMap { row in row.price.map { (row.product, $0) } }
    }

    /// Selects the latest price of each of `products` in each store.
    static func newest(_ products: [ProductID], _ household: HouseholdID) -> SQL {
        """
        SELECT m.product_id, m.store_id, '', m.day, m.regular_thousandths, m.paid_thousandths, m.is_offer, m.unit,
            m.base_thousandths, m.base_unit, m.currency, NULL::uuid
        FROM unnest(\(products)::uuid[]) AS t (product_id)
        CROSS JOIN LATERAL (SELECT * FROM store_price m
            WHERE m.household_id = \(household) AND m.product_id = t.product_id OFFSET 0) m
        """
    }

    /// Selects the last 100 prices of each of `products`, newest first, and at most 300 in all.
    static func history(_ products: [ProductID], _ household: HouseholdID) -> SQL {
        """
        SELECT p.product_id, p.store_id, '', p.day, p.regular_thousandths, p.paid_thousandths, p.is_offer, p.unit,
            p.base_thousandths, p.base_unit, p.currency, p.receipt_id
        FROM unnest(\(products)::uuid[]) AS t (product_id)
        CROSS JOIN LATERAL (SELECT * FROM price q
            WHERE q.household_id = \(household) AND q.product_id = t.product_id
            ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 100) p
        ORDER BY \(PriceOrder.newestFirst("p")) LIMIT 300
        """
    }
}
