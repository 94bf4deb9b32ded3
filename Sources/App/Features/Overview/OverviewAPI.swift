import Domain
import HTTP
import JSON

/// The overview in the API: spending, price changes, inflation.
struct OverviewAPI: Sendable {
    private let queries: OverviewQueries

    /// The maximum number of price changes in each direction.
    private static let maximumMoves: Int32 = 20

    init(_ database: Database) { queries = OverviewQueries(database: database) }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/overview", "OverviewAPI.show", scope: .read, show)
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        let today = WallClock.today()
        let month = try request.query("month") { Month(parsing: $0, today: today) }
        let result = try await queries.load(request.member, month, maximumMoves: Self.maximumMoves, today: today)
        var json = JSONWriter()
        json.object { json in
            json.member("currency", result.currency.rawValue)
            Self.write(result.spending, &json)
            json.array("waiting") { json in
                for sum in result.waitingSums {
                    json.object { json in
                        json.member("currency", sum.currency.rawValue)
                        json.member("receipts", sum.count)
                        json.member("total_minor", sum.sum)
                        json.member("without_total", sum.unknown)
                    }
                }
            }
            json.member("ready_to_confirm", result.provenCount)
            json.member("new_names", result.waitingNameCount)
            Self.write(HouseholdInflation(result.matched), &json)
            json.array("price_changes") { json in
                for product in result.moved { Self.write(product, result.naming, &json) }
            }
        }
        return request.answer(json)
    }

    /// Writes the spending of the month, by category and in foreign currencies, and the spending of twelve months.
    private static func write(_ spending: OverviewQueries.MonthSpending, _ json: inout JSONWriter) {
        json.member("month", ReceiptFilter.value(spending.month))
        json.array("spending") { json in
            for spent in spending.spent where spent.now != 0 || spent.before != 0 {
                json.object { json in
                    let isNone = spent.category == CategoryID(high: 0, low: 0)
                    json.member("category_id", isNone ? nil : spent.category.description)
                    json.member("amount_minor", spent.now)
                    // The spending of the previous month. If `month` is the current month, only up to the same day of
                    // the month.
                    json.member("before_minor", spent.before)
                }
            }
        }
        json.array("abroad") { json in
            for money in spending.abroad {
                json.object { json in
                    json.member("currency", money.currency.rawValue)
                    json.member("amount_minor", money.minorUnits)
                }
            }
        }
        json.array("trend") { json in
            for (month, amount) in spending.trend.sorted(by: { $0.key < $1.key }) {
                json.object { json in
                    json.member("month", ReceiptFilter.value(month))
                    json.member("amount_minor", amount)
                }
            }
        }
    }

    private static func write(_ inflation: HouseholdInflation?, _ json: inout JSONWriter) {
        guard let inflation else { return json.member("inflation", .null) }
        json.object("inflation") { json in
            json.member("permille", inflation.permille)
            json.member("before_minor", inflation.costBefore)
            json.member("now_minor", inflation.costNow)
            json.member("products", inflation.productCount)
        }
    }

    /// Writes the price change of a product. Writes nothing if the change cannot be computed. If the package size
    /// changed, writes the change of the base price, as on pages.
    private static func write(_ product: ListedProduct, _ naming: Naming, _ json: inout JSONWriter) {
        guard let now = product.newest, let before = product.earlier,
            let change = PriceChange(from: before.observation(of: product.id), to: now.observation(of: product.id))
        else { return }
        json.object { json in
            json.member("product_id", product.id.description)
            json.member("name", product.name)
            json.member("permille", change.shownPermille)
            json.price("price", now, naming)
            json.price("earlier_price", before, naming)
        }
    }
}
