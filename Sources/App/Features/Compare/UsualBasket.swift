import Domain
import Postgres

/// The household's usual basket: the comparisons whose products it buys regularly, with the quantity per month.
struct UsualBasket: Sendable {
    struct Entry: Sendable {
        let group: ComparisonGroupID
        /// The quantity of a month, in thousandths of the comparison's unit.
        let quantity: Int64
    }

    /// Most often bought first.
    let entries: [Entry]

    /// The number of days that are evaluated. A month's quantity is a third of the quantity of this period.
    static let days = 90
    /// Comparisons with fewer purchases than this are not in the basket.
    private static let minimumPurchases: Int64 = 2
    /// Further comparisons, which are bought less often, are left out.
    static let maximumEntries = 30

    /// The purchases of one comparison's products: the number of purchases, and the bought quantity in thousandths of
    /// the base price's unit.
    struct BoughtProduct: Sendable, RowDecodable {
        let group: ComparisonGroupID
        let unit: StoredUnit
        let purchaseCount: Int64
        let quantity: Int64

        init(from row: inout RowReader) throws(PostgresError) {
            group = try row.next()
            unit = try row.next()
            purchaseCount = try row.next()
            quantity = try row.next()
        }
    }

    /// Selects `BoughtProduct` rows from the prices of the last `days` days, less the items that were returned. All lines
    /// of a date in one store are one purchase. Leaves out products with a quantity of a million units or more, because
    /// such quantities are implausible. Computes the quantity in base units as bought quantity × price / base price.
    static func statement(_ household: HouseholdID, today: LocalDate) -> SQL {
        """
        SELECT d.comparison_group_id, p.base_unit, count(DISTINCT (p.day, p.store_id)) FILTER (WHERE p.quantity > 0),
            round(sum(p.quantity))::bigint
        FROM (SELECT q.product_id, q.base_unit, q.day, q.store_id,
            sum(q.regular_thousandths::numeric * q.quantity_thousandths / q.base_thousandths) AS quantity,
            sum(sum(q.quantity_thousandths)) OVER (PARTITION BY q.product_id, q.base_unit) AS bought
        FROM \(BoughtQuantities.source(household, after: today.adding(days: -days), until: today)) q
        WHERE q.base_thousandths > 0
        GROUP BY 1, 2, 3, 4) p
        JOIN product d ON d.household_id = \(household) AND d.id = p.product_id
        WHERE d.comparison_group_id IS NOT NULL AND p.bought < 1000000000
        GROUP BY 1, 2
        """
    }

    init(_ bought: [BoughtProduct], _ household: HouseholdCatalogue) {
        var sums: [ComparisonGroupID: (purchases: Int64, quantity: Int64)] = [:]
        for row in bought {
            guard household.groups[row.group]?.unit == row.unit, (1...1_000_000_000_000).contains(row.quantity) else {
                continue
            }
            sums[row.group] = (row.purchaseCount, row.quantity)
        }
        entries = sums.filter { $0.value.purchases >= Self.minimumPurchases }
            .sorted { ($0.value.purchases, $1.key) > ($1.value.purchases, $0.key) }.prefix(Self.maximumEntries)
            .map { Entry(group: $0.key, quantity: max(1, $0.value.quantity / 3)) }
    }

    /// - Parameter cells: by comparison, in the order of `PriceComparison.cells`.
    func comparison(
        _ cells: [ComparisonGroupID: [PriceComparison.Cell]], _ household: HouseholdCatalogue
    ) -> BasketComparison<String> {
        BasketComparison(
            entries.map { entry in
                var offers: [String: BasketComparison<String>.Offer] = [:]
                // The cells are sorted, so the first one of a chain is its best price.
                for cell in cells[entry.group] ?? [] {
                    guard let chain = household.products[cell.observation.product]?.chain, offers[chain] == nil else {
                        continue
                    }
                    offers[chain] = .init(price: cell.price.thousandthsOfMinor, ageInDays: cell.ageInDays)
                }
                return .init(quantity: entry.quantity, offers: offers)
            })
    }
}
