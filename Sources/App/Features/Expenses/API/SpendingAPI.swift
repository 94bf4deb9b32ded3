import Domain
import HTTP
import JSON

/// The figures of the dashboard in the API: spending by category, payee, member and month.
struct SpendingAPI: Sendable {
    private let queries: DashboardQueries

    /// Replaces a missing category or payer in the sums. The API writes null instead.
    private static let noIdentifier = "00000000-0000-0000-0000-000000000000"

    init(_ database: Database) { queries = DashboardQueries(database: database) }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/spending", "SpendingAPI.show", scope: .read, show)
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        let today = WallClock.today()
        let month = try request.query("month") { Month(parsing: $0, today: today) }
        let requestedPeriod = try request.query("period") { ExpensePeriod(rawValue: $0) }
        let period = month == nil ? requestedPeriod ?? .month : .month
        let days = period.days(today: today, month: month)
        let result = try await queries.load(period, days, request.member, today: today)
        let spent = result.spending.values.reduce(0) { $0 + $1.now }
        var json = JSONWriter()
        json.object { json in
            json.member("period", period.rawValue)
            json.member("from", days.lowerBound.iso)
            json.member("to", days.upperBound.adding(days: -1).iso)
            json.member("currency", result.choices.home.code)
            json.member("spent_minor", spent)
            json.member("spent_before_minor", result.spending.values.reduce(0) { $0 + $1.before })
            json.member("spent_year_before_minor", result.spending.values.reduce(0) { $0 + $1.yearBefore })
            json.member("income_minor", result.income)
            json.member("cash_minor", result.cash)
            // The number of expenses and receipts in other currencies that the totals do not contain.
            json.member("without_rate", result.withoutRate)
            Self.write(result, &json)
            json.key("forecast") { json in
                guard period == .month, days.lowerBound.month == today.month,
                    let forecast = result.forecast(spent: spent, today: today)
                else { return json.null() }
                json.object { json in
                    json.member("low_minor", forecast.low)
                    json.member("middle_minor", forecast.middle)
                    json.member("high_minor", forecast.high)
                    json.member("expected_minor", result.expected(today: today))
                    json.member("months", forecast.monthCount)
                }
            }
        }
        return request.answer(json)
    }

    private static func write(_ result: DashboardQueries.Result, _ json: inout JSONWriter) {
        func text<Tag>(_ id: Identifier<Tag>) -> String? { id.description == noIdentifier ? nil : id.description }
        json.array("categories") { json in
            for (id, sum) in result.spending.sorted(by: { ($1.value.now, $0.key) < ($0.value.now, $1.key) }) {
                json.object { json in
                    json.member("category_id", text(id))
                    json.member("spent_minor", sum.now)
                    json.member("spent_before_minor", sum.before)
                    json.member("spent_year_before_minor", sum.yearBefore)
                }
            }
        }
        json.array("payees") { json in
            for payee in result.payees {
                json.object { json in
                    json.member("name", payee.name ?? result.naming.chain(payee.key))
                    json.member("spent_minor", payee.amount)
                }
            }
        }
        json.array("members") { json in
            for member in result.members {
                json.object { json in
                    json.member("person_id", text(member.person))
                    json.member("spent_minor", member.amount)
                }
            }
        }
        json.array("months") { json in
            for (month, amount) in result.trend.sorted(by: { $0.key < $1.key }) {
                json.object { json in
                    json.member("month", ReceiptFilter.value(month))
                    json.member("spent_minor", amount)
                }
            }
        }
    }
}
