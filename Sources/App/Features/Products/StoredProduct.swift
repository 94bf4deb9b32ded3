import Domain
import Postgres

/// A product with the data of one of its pages, loaded in one round trip.
struct StoredProduct: Sendable {
    struct Package: Sendable {
        /// The first day on which this size is sold.
        let from: LocalDate
        let size: Quantity
    }

    struct Alias: Sendable {
        let id: AliasID
        let chain: String
        let printedName: String
        /// The number of receipt lines with this name that the member may see.
        let count: Int64
    }

    let id: ProductID
    let name: String
    let chain: String
    let category: CategoryID?
    let group: (id: ComparisonGroupID, name: String, unit: StoredUnit)?
    let revision: Int64
    /// The prices of one page, newest first. If there are older prices, one price more than the page shows.
    let prices: [StoredPrice]
    /// The latest price.
    let newest: StoredPrice?
    /// The earlier price that lists and the overview compare with `newest`, by the rules of `PriceChange.changes`.
    let earlier: StoredPrice?
    /// The price of about a year before `newest`, of the same chain and currency: the last price that is at least
    /// `yearDays` older. If there is no such price, the oldest price.
    let yearEarlier: StoredPrice?
    /// The lowest price paid in the last twelve months. Base prices are compared if there are several package sizes or
    /// the product is also sold by weight. Nil if the prices are not comparable.
    let cheapest: StoredPrice?
    /// Oldest first.
    let packages: [Package]
    let aliases: [Alias]
    let naming: Naming
    let categories: Categories

    /// The number of prices on one page.
    static let pageSize = 200
    /// The minimum number of days between the latest price and a price of "about a year" earlier.
    static let yearDays = 330

    /// - Throws: `Refusal.notFound`.
    static func find(
        _ id: ProductID, _ member: Member, _ database: Database, for content: Content
    ) async throws -> StoredProduct {
        let household = member.household
        let common = [facts(of: id, household), Naming.query(household), Categories.query(household)]
        let rows = try await database.read(
            household,
            batch: common
                + (content == .forms
                    ? [aliases(of: id, member)]
                    : [
                        history(of: id, household, skipping: content.skipped),
                        cheapest(of: id, household, since: WallClock.today().adding(days: -365)),
                    ]))
        guard let facts = try rows[0].decode(Facts.self).first else { throw Refusal.notFound }
        let isForms = content == .forms
        return StoredProduct(
            id: id, name: facts.name, chain: facts.chain, category: facts.category, group: facts.group,
            revision: facts.revision, prices: isForms ? [] : try rows[3].decode(PriceRow.self).compactMap(\.price),
            newest: facts.newest, earlier: facts.earlier, yearEarlier: facts.yearEarlier,
            cheapest: isForms ? nil : try rows[4].first(PriceRow.self)?.price, packages: facts.packages,
            aliases: isForms
                ? try rows[3].decode((AliasID, String, String, Int64).self).map { id, chain, printedName, count in
                    Alias(id: id, chain: chain, printedName: printedName, count: count)
                } : [],
            naming: try Naming(rows[1]), categories: try Categories(rows[2]))
    }

    /// The page for which the product is loaded.
    enum Content: Equatable {
        /// The page with the prices. `skipped` is the number of newer prices on earlier pages.
        case prices(skipped: Int)
        /// The page with the forms.
        case forms

        fileprivate var skipped: Int {
            switch self {
            case .prices(let skipped): skipped
            case .forms: 0
            }
        }
    }

    private static func aliases(of id: ProductID, _ member: Member) -> SQL {
        """
        SELECT a.id, a.chain, a.printed_name, (
            SELECT count(*) FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            WHERE l.household_id = a.household_id AND l.product_id = a.product_id AND l.alias_key = a.alias_key
                AND \(Visibility.condition(member)))
        FROM product_alias a WHERE a.household_id = \(member.household) AND a.product_id = \(id)
        ORDER BY a.printed_name, a.id
        """
    }

    /// Selects the product, its comparison, its package sizes, its latest price, and the two earlier prices for
    /// comparison with the latest price.
    static func facts(of id: ProductID, _ household: HouseholdID) -> SQL {
        let yearEarlier: SQL = """
            SELECT q.*, s.chain FROM price q JOIN store s ON s.household_id = q.household_id AND s.id = q.store_id
            WHERE q.household_id = \(household) AND q.product_id = \(id) AND s.chain = d.chain
                AND q.currency = m.currency
            """
        return """
            SELECT d.name, d.chain, d.category_id, d.revision, g.id, g.name, g.base_unit,
                ARRAY(SELECT k.valid_from FROM product_package k WHERE k.household_id = \(household)
                    AND k.product_id = \(id) ORDER BY k.valid_from),
                ARRAY(SELECT k.amount_thousandths FROM product_package k WHERE k.household_id = \(household)
                    AND k.product_id = \(id) ORDER BY k.valid_from),
                ARRAY(SELECT k.unit FROM product_package k WHERE k.household_id = \(household)
                    AND k.product_id = \(id) ORDER BY k.valid_from),
                m.store_id, d.chain, m.day, m.regular_thousandths, m.paid_thousandths, m.is_offer, m.unit,
                m.base_thousandths, m.base_unit, m.currency, NULL::uuid,
                m.earlier_store_id, d.chain, m.earlier_day, m.earlier_regular_thousandths, m.earlier_paid_thousandths,
                m.earlier_is_offer, m.earlier_unit, m.earlier_base_thousandths, m.earlier_base_unit, m.earlier_currency,
                NULL::uuid,
                e.store_id, e.chain, e.day, e.regular_thousandths, e.paid_thousandths, e.is_offer, e.unit,
                e.base_thousandths, e.base_unit, e.currency, e.receipt_id
            FROM product d
            LEFT JOIN LATERAL (SELECT * FROM comparison_group g
                WHERE g.household_id = \(household) AND g.id = d.comparison_group_id LIMIT 1) g ON true
            LEFT JOIN LATERAL (SELECT * FROM product_price m
                WHERE m.household_id = \(household) AND m.product_id = d.id LIMIT 1) m ON true
            LEFT JOIN LATERAL (SELECT * FROM (
                (\(yearEarlier) AND q.day <= m.day - \(Int32(yearDays)) ORDER BY \(PriceOrder.newestFirst("q")) LIMIT 1)
                UNION ALL
                (\(yearEarlier) AND q.day > m.day - \(Int32(yearDays)) AND q.day < m.day
                 ORDER BY \(PriceOrder.oldestFirst("q")) LIMIT 1)) c ORDER BY c.day LIMIT 1) e ON true
            WHERE d.household_id = \(household) AND d.id = \(id)
            """
    }

    /// Selects one page of prices and one price more, newest first.
    static func history(of id: ProductID, _ household: HouseholdID, skipping skipped: Int) -> SQL {
        """
        SELECT p.store_id, '', p.day, p.regular_thousandths, p.paid_thousandths, p.is_offer, p.unit,
            p.base_thousandths, p.base_unit, p.currency, p.receipt_id
        FROM price p WHERE p.household_id = \(household) AND p.product_id = \(id)
        ORDER BY \(PriceOrder.newestFirst("p")) LIMIT \(Int32(pageSize + 1)) OFFSET \(Int32(skipped))
        """
    }

    /// Selects the lowest price paid after a day.
    static func cheapest(of id: ProductID, _ household: HouseholdID, since day: LocalDate) -> SQL {
        // Compares base prices if the packages differ in size, or if there are weighed items. The price divided by the
        // base price is the content of a package, in thousandths. Selects no row if the prices differ in currency or in
        // the unit of their base price.
        """
        WITH year AS MATERIALIZED (
            SELECT * FROM price p WHERE p.household_id = \(household) AND p.product_id = \(id) AND p.day > \(day)),
        kinds AS MATERIALIZED (
            SELECT count(DISTINCT unit) > 1 AS is_mixed, count(DISTINCT currency) = 1 AND count(DISTINCT base_unit) <= 1
                AND (count(DISTINCT unit) = 1 OR count(*) = count(base_unit)) AS are_comparable FROM year),
        sizes AS MATERIALIZED (
            SELECT count(*) > 1 AND min(unit) = max(unit) AS are_several FROM product_package
            WHERE household_id = \(household) AND product_id = \(id))
        SELECT p.store_id, '', p.day, p.regular_thousandths, p.paid_thousandths, p.is_offer, p.unit,
            p.base_thousandths, p.base_unit, p.currency, p.receipt_id
        FROM year p, kinds, sizes WHERE kinds.are_comparable
        ORDER BY CASE WHEN sizes.are_several OR kinds.is_mixed THEN p.paid_thousandths
                / nullif(round(1000 * p.regular_thousandths::numeric / nullif(p.base_thousandths, 0)), 0) END,
            p.paid_thousandths, p.day DESC, p.id LIMIT 1
        """
    }

    private struct Facts: RowDecodable {
        let name: String
        let chain: String
        let category: CategoryID?
        let revision: Int64
        let group: (id: ComparisonGroupID, name: String, unit: StoredUnit)?
        let packages: [Package]
        let newest: StoredPrice?
        let earlier: StoredPrice?
        let yearEarlier: StoredPrice?

        init(from row: inout RowReader) throws(PostgresError) {
            name = try row.next()
            chain = try row.next()
            category = try row.next()
            revision = try row.next()
            let id: ComparisonGroupID? = try row.next()
            let groupName: String? = try row.next()
            let groupUnit: StoredUnit? = try row.next()
            group = id.flatMap { id in groupName.flatMap { name in groupUnit.map { (id, name, $0) } } }
            let days: [LocalDate] = try row.next()
            let amounts: [Int64] = try row.next()
            let units: [StoredUnit] = try row.next()
            packages = zip(days, zip(amounts, units)).map { day, size in
                Package(from: day, size: Quantity(thousandths: size.0, unit: size.1.unit))
            }
            newest = try StoredPrice.ifAny(from: &row)
            earlier = try StoredPrice.ifAny(from: &row)
            yearEarlier = try StoredPrice.ifAny(from: &row)
        }
    }

    private struct PriceRow: RowDecodable {
        let price: StoredPrice?

        init(from row: inout RowReader) throws(PostgresError) { price = try StoredPrice.ifAny(from: &row) }
    }
}

extension Quantity {
    /// A package size such as `250 g`, `1,5 l` or `10 Stk.`. Amounts below one kilogram or litre use the smaller unit.
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
