import Domain
import Postgres

/// Loads the balances between members and their settlements in one round trip.
struct BalanceQueries: Sendable {
    let database: Database

    struct RecordedPayment: Sendable {
        let id: SettlementID
        let from: PersonID
        let to: PersonID
        let amount: Amount
        let day: LocalDate
    }

    struct Result: Sendable {
        /// The amount that each member is owed, in minor units of the currency; negative for members who owe.
        let balances: [CurrencyCode: [PersonID: Int64]]
        let settlements: [RecordedPayment]
        /// The newest expenses and receipts that are split, at most `maximumShared`.
        let shared: [Entry]
        let names: [PersonID: String]
        let choices: ExpenseChoices
    }

    static let maximumSettlements: Int32 = 20
    static let maximumShared: Int32 = 10

    func load(_ member: Member) async throws -> Result {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT b.currency, b.person_id, sum(b.amount_minor)::bigint FROM balance_month b
                WHERE b.household_id = \(household) GROUP BY 1, 2 HAVING sum(b.amount_minor) <> 0 ORDER BY 1, 2
                """,
                """
                SELECT t.id, t.from_person, t.to_person, t.amount_minor, t.currency, t.day FROM settlement t
                WHERE t.household_id = \(household) AND t.discarded_at IS NULL
                ORDER BY t.day DESC, t.id DESC LIMIT \(Self.maximumSettlements)
                """,
                """
                SELECT \(Entry.columns) FROM \(Entries.source(
                    member, expenses: "e.split <> ''", receipts: "e.split <> ''", limit: Self.maximumShared)) n
                ORDER BY n.day DESC, n.id DESC LIMIT \(Self.maximumShared)
                """,
                // The names of members, and of former members who have a balance in a month or a payment. A former
                // member may have a payment but no balance, because a payment can settle the balance of its month.
                """
                SELECT p.id, \(PersonName.distinct(household)) FROM person p WHERE p.id IN (
                    SELECT person_id FROM balance_month WHERE household_id = \(household)
                    UNION SELECT person_id FROM membership WHERE household_id = \(household)
                    UNION SELECT unnest(ARRAY[from_person, to_person]) FROM settlement
                    WHERE household_id = \(household) AND discarded_at IS NULL)
                """,
            ] + ExpenseChoices.queries(household))
        var balances: [CurrencyCode: [PersonID: Int64]] = [:]
        for (code, person, amount) in try rows[0].decode((String, PersonID, Int64).self) {
            guard let currency = CurrencyCode(code) else { continue }
            balances[currency, default: [:]][person] = amount
        }
        return Result(
            balances: balances,
            settlements: try rows[1].decode((SettlementID, PersonID, PersonID, Int64, String, LocalDate).self).map {
                id, from, to, amount, code, day in
                RecordedPayment(
                    id: id, from: from, to: to,
                    amount: Amount(minorUnits: amount, currency: CurrencyCode(code) ?? .eur), day: day)
            },
            shared: try rows[2].decode(Entry.self),
            names: Dictionary(try rows[3].decode((PersonID, String).self).map { ($0.0, $0.1) }) { first, _ in first },
            choices: try ExpenseChoices(rows[4...]))
    }
}
