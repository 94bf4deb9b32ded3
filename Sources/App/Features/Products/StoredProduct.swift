import Domain
import Postgres

/// A product with all that its page shows: one round trip.
struct StoredProduct: Sendable {
    struct Package: Sendable {
        let from: LocalDate
        let size: Quantity
    }

    struct Alias: Sendable {
        let id: AliasID
        let chain: String
        let printedName: String
        let count: Int64
    }

    let id: ProductID
    let name: String
    let chain: String
    let category: CategoryID?
    let group: (id: ComparisonGroupID, name: String, unit: StoredUnit)?
    let revision: Int64
    /// One page of them, newest first, one more than shown when there are older ones.
    let prices: [StoredPrice]
    /// The last price of all.
    let newest: StoredPrice?
    /// What the newest is compared with: the last price of its chain from `yearDays` before, else the chain's first.
    let earlier: StoredPrice?
    /// The lowest price paid in the last twelve months; of packages of several sizes, and where it is sold by weight too,
    /// the lowest for what they hold. Nothing where the prices say nothing beside each other.
    let cheapest: StoredPrice?
    /// Oldest first.
    let packages: [Package]
    let aliases: [Alias]
    let naming: Naming
    let categories: Categories

    /// Prices on one page.
    static let pageSize = 200
    /// So long before the newest a price is from a year ago: shopping has no birthdays.
    static let yearDays = 330

    /// - Throws: `Refusal.notFound`.
    static func find(
        _ id: ProductID, _ household: HouseholdID, _ database: Database, skipping skipped: Int = 0
    ) async throws -> StoredProduct {
        let lastYear = WallClock.today().adding(days: -365)
        let prices: SQL = """
            FROM price p JOIN store s ON s.household_id = p.household_id AND s.id = p.store_id
            WHERE p.household_id = \(household) AND p.product_id = \(id)
            """
        // Of several sizes that can be compared; price / base price is what a package held, in thousandths.
        let hasPackages: SQL = """
            SELECT count(*) > 1 AND min(unit) = max(unit) FROM product_package
            WHERE household_id = \(household) AND product_id = \(id)
            """
        // One currency, one unit of base prices, and none without one where what is paid for is of several units.
        let comparison: SQL = """
            SELECT count(DISTINCT p.unit) > 1 AS is_mixed, count(DISTINCT p.currency) = 1
                AND count(DISTINCT p.base_unit) <= 1
                AND (count(DISTINCT p.unit) = 1 OR count(*) = count(p.base_unit)) AS is_fair
            \(prices) AND p.day > \(lastYear)
            """
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT d.name, d.chain, d.category_id, d.revision, g.id, g.name, g.base_unit
                FROM product d
                LEFT JOIN comparison_group g ON g.household_id = d.household_id AND g.id = d.comparison_group_id
                WHERE d.household_id = \(household) AND d.id = \(id)
                """,
                """
                SELECT \(StoredPrice.columns) \(prices) ORDER BY \(PriceOrder.newestFirst("p"))
                LIMIT \(Int32(pageSize + 1)) OFFSET \(Int32(skipped))
                """,
                """
                SELECT \(StoredPrice.columns) \(prices) AND p.day > \(lastYear)
                    AND (SELECT c.is_fair FROM (\(comparison)) c)
                ORDER BY CASE WHEN (\(hasPackages)) OR (SELECT c.is_mixed FROM (\(comparison)) c) THEN p.paid_thousandths
                        / nullif(round(1000 * p.regular_thousandths::numeric / nullif(p.base_thousandths, 0)), 0) END,
                    p.paid_thousandths, p.day DESC, p.id LIMIT 1
                """,
                """
                SELECT valid_from, amount_thousandths, unit FROM product_package
                WHERE household_id = \(household) AND product_id = \(id) ORDER BY valid_from
                """,
                """
                SELECT a.id, a.chain, a.printed_name, (
                    SELECT count(*) FROM receipt_line l
                    WHERE l.household_id = a.household_id AND l.product_id = a.product_id AND l.alias_key = a.alias_key)
                FROM product_alias a WHERE a.household_id = \(household) AND a.product_id = \(id)
                ORDER BY a.printed_name, a.id
                """,
                Naming.query(household), Categories.query(household),
            ])
        guard
            let (name, chain, category, revision, group, groupName, unit) = try rows[0].first(
                (String, String, CategoryID?, Int64, ComparisonGroupID?, String?, StoredUnit?).self)
        else { throw Refusal.notFound }
        let listed = try rows[1].decode(PriceRow.self).compactMap(\.price)
        let ends =
            skipped == 0 && listed.count <= pageSize
            ? (newest: listed.first, earlier: earlier(in: listed))
            : try await ends(prices, household, database)
        return StoredProduct(
            id: id, name: name, chain: chain, category: category,
            group: group.flatMap { id in groupName.flatMap { name in unit.map { (id, name, $0) } } },
            revision: revision, prices: listed, newest: ends.newest, earlier: ends.earlier,
            cheapest: try rows[2].first(PriceRow.self)?.price,
            packages: try rows[3].decode((LocalDate, Int64, StoredUnit).self).map {
                Package(from: $0.0, size: Quantity(thousandths: $0.1, unit: $0.2.unit))
            },
            aliases: try rows[4].decode((AliasID, String, String, Int64).self).map {
                Alias(id: $0.0, chain: $0.1, printedName: $0.2, count: $0.3)
            },
            naming: try Naming(rows[5]), categories: try Categories(rows[6]))
    }

    /// - Parameter prices: all there are, newest first.
    private static func earlier(in prices: [StoredPrice]) -> StoredPrice? {
        guard let newest = prices.first else { return nil }
        let before = prices.filter { $0.chain == newest.chain && $0.day < newest.day }
        return before.first { $0.day <= newest.day.adding(days: -yearDays) }
            ?? before.last.flatMap { oldest in before.first { $0.day == oldest.day } }
    }

    /// The newest price and the one it is compared with, for histories that do not fit on one page.
    private static func ends(
        _ prices: SQL, _ household: HouseholdID, _ database: Database
    ) async throws -> (newest: StoredPrice?, earlier: StoredPrice?) {
        let newest = try await database.read(
            household, "SELECT \(StoredPrice.columns) \(prices) ORDER BY \(PriceOrder.newestFirst("p")) LIMIT 1"
        ).first(PriceRow.self)?.price
        guard let newest else { return (nil, nil) }
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT \(StoredPrice.columns) \(prices) AND s.chain = \(newest.chain)
                    AND p.day <= \(newest.day.adding(days: -yearDays))
                ORDER BY \(PriceOrder.newestFirst("p")) LIMIT 1
                """,
                """
                SELECT \(StoredPrice.columns) \(prices) AND s.chain = \(newest.chain)
                    AND p.day < \(newest.day)
                ORDER BY \(PriceOrder.oldestFirst("p")) LIMIT 1
                """,
            ])
        return (newest, try rows[0].first(PriceRow.self)?.price ?? rows[1].first(PriceRow.self)?.price)
    }

    private struct PriceRow: RowDecodable {
        let price: StoredPrice?

        init(from row: inout RowReader) throws(PostgresError) { price = try StoredPrice.ifAny(from: &row) }
    }
}

extension Quantity {
    /// `250 g`, `1,5 l`, `10 Stk.`: amounts below one kilogram or litre in the smaller unit.
    func shownAsPackage(_ language: Language) -> String {
        guard thousandths.magnitude < 1_000, let small = smallUnit, let converted = try? converted(to: small) else {
            return formatted(language)
        }
        return converted.formatted(language)
    }

    private var smallUnit: MeasureUnit? {
        switch unit {
        case .kilogram: .gram
        case .litre: .millilitre
        case .metre: .centimetre
        default: nil
        }
    }
}
