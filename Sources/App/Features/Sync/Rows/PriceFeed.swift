import Domain
import JSON
import Postgres

/// The newest price of each comparison group in each store, for phones that compare prices offline. Pages compare
/// prices in the group's unit and the household's currency. These prices take precedence over newer prices in other
/// units or currencies. The data is small enough for one response.
struct PriceFeed: Sendable {
    let database: Database

    func document(_ member: Member) async throws -> JSONWriter {
        let household = member.household
        let rows = try await database.read(
            household,
            """
            SELECT DISTINCT ON (d.comparison_group_id, p.store_id) d.comparison_group_id, p.store_id, d.id, p.day,
                p.regular_thousandths, p.base_thousandths, p.base_unit, p.currency, p.is_offer
            FROM store_price p
            JOIN product d ON d.household_id = p.household_id AND d.id = p.product_id
            JOIN comparison_group g ON g.household_id = p.household_id AND g.id = d.comparison_group_id
            JOIN household h ON h.id = p.household_id
            JOIN store s ON s.household_id = p.household_id AND s.id = p.store_id
            WHERE p.household_id = \(household) AND \(Visibility.storeCondition(member))
            ORDER BY d.comparison_group_id, p.store_id,
                (p.base_unit = g.base_unit AND p.currency = h.currency) IS TRUE DESC, p.day DESC, p.price_id DESC
            """
        ).decode(
            (ComparisonGroupID, StoreID, ProductID, LocalDate, Int64, Int64?, String?, String, Bool).self)
        var json = JSONWriter(capacity: 256 * rows.count)
        json.object { json in
            json.array("prices") { json in
                for (group, store, product, day, price, base, unit, currency, isOffer) in rows {
                    json.object { json in
                        json.member("group_id", group.description)
                        json.member("store_id", store.description)
                        json.member("product_id", product.description)
                        json.member("day", day.iso)
                        json.member("price_thousandths", price)
                        json.member("base_thousandths", base)
                        json.member("base_unit", unit)
                        json.member("currency", currency)
                        json.member("is_offer", isOffer)
                    }
                }
            }
        }
        return json
    }
}
