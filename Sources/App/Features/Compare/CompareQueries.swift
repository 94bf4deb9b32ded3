import Domain
import Postgres

/// What the comparison asks: one round trip.
struct CompareQueries: Sendable {
    let database: Database

    struct Result: Sendable {
        let groups: [Group]
        let prices: [GroupPrice]
        let names: Int64
        /// The household's: only its prices are compared.
        let currency: Currency
    }

    struct Group: Sendable {
        let id: ComparisonGroupID
        let name: String
        let unit: StoredUnit
    }

    /// The newest price of a grouped product in one store.
    struct GroupPrice: Sendable, RowDecodable {
        let group: ComparisonGroupID
        let product: ProductID
        let productName: String
        let price: StoredPrice?

        init(from row: inout RowReader) throws(PostgresError) {
            group = try row.next()
            product = try row.next()
            productName = try row.next()
            price = try StoredPrice.ifAny(from: &row)
        }
    }

    func load(_ member: Member) async throws -> Result {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT id, name, base_unit FROM comparison_group WHERE household_id = \(household) ORDER BY name, id
                LIMIT 500
                """,
                """
                SELECT d.comparison_group_id, d.id, d.name, \(StoredPrice.columns)
                FROM product d
                JOIN household h ON h.id = d.household_id
                CROSS JOIN store s
                JOIN LATERAL (
                    SELECT * FROM price q WHERE q.household_id = d.household_id AND q.product_id = d.id
                        AND q.store_id = s.id AND q.day <= \(WallClock.today()) AND q.currency = h.currency
                    ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1) p ON true
                WHERE d.household_id = \(household) AND d.comparison_group_id IS NOT NULL
                    AND s.household_id = \(household) AND s.chain = d.chain
                """,
                WaitingNames.count(member),
                "SELECT currency FROM household WHERE id = \(household)",
            ])
        return Result(
            groups: try rows[0].decode((ComparisonGroupID, String, StoredUnit).self).map {
                Group(id: $0.0, name: $0.1, unit: $0.2)
            },
            prices: try rows[1].decode(), names: try rows[2].first(Int64.self) ?? 0,
            currency: try rows[3].first(Currency.self) ?? .eur)
    }
}
