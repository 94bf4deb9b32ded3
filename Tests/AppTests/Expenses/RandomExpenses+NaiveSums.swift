import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// The expected sums, computed row by row from the stored expenses and receipts.
extension RandomExpenses {
    struct Part: Hashable {
        let day: LocalDate
        let flow: MoneyFlow
        let category: CategoryID?
        let payer: PersonID?
        let payee: String
    }

    private struct NaiveExpense {
        let part: Part
        /// In the household's currency; nil without an exchange rate.
        let amount: Int64?
    }

    /// Converts an amount by the newest rate of the last seven days, rounded half away from zero.
    private func converted(_ amount: Int64, _ currency: String, _ day: LocalDate) throws -> Int64? {
        let rates = try owner.query(
            "SELECT day, per_euro_millionths, digits::bigint FROM exchange_rate WHERE household_id = \(household) AND currency = \(currency)"
        ).decode((LocalDate, Int64, Int64).self)
        let applied = rates.filter { $0.0 <= day && $0.0.days(to: day) <= 7 }.max { $0.0 < $1.0 }
        guard let (_, rate, digits) = applied else { return nil }
        let scale = (0..<digits).reduce(Int128(1)) { power, _ in power * 10 }
        let (dividend, divisor) = (Int128(amount) * 100_000_000, Int128(rate) * scale)
        return Int64((dividend * 2 + divisor) / (divisor * 2))
    }

    private func expenses(_ reader: PersonID) throws -> [NaiveExpense] {
        try owner.query(
            """
            SELECT day, kind, category_id, paid_by, payee_key, amount_minor, currency, stated_minor FROM expense
            WHERE household_id = \(household) AND receipt_id IS NULL AND discarded_at IS NULL
                AND (NOT is_personal OR person_id = \(reader))
            """
        ).decode((LocalDate, ExpenseKind, CategoryID?, PersonID?, String, Int64, String, Int64?).self)
            .map { day, kind, category, payer, payee, amount, currency, stated in
                let home = try currency == "EUR" ? amount : stated ?? converted(amount, currency, day)
                return NaiveExpense(
                    part: Part(day: day, flow: kind.flow, category: category, payer: payer, payee: payee),
                    amount: home.map { kind.sign * $0 })
            }
    }

    /// The number of the reader's expenses on these days without an exchange rate.
    func countWithoutRate(_ days: Range<LocalDate>, _ reader: PersonID) throws -> Int {
        try expenses(reader).count { $0.amount == nil && days.contains($0.part.day) }
    }

    func naiveSums(_ reader: PersonID) throws -> [Part: Int64] {
        var sums: [Part: Int64] = [:]
        for expense in try expenses(reader) {
            guard let amount = expense.amount else { continue }
            sums[expense.part, default: 0] += amount
        }
        let receipts = try owner.query(
            """
            SELECT r.id, r.purchase_day, coalesce(e.paid_by, r.person_id), r.total_minor, e.category_id,
                coalesce(s.chain, '') FROM receipt r
            LEFT JOIN expense e ON e.receipt_id = r.id
            LEFT JOIN store s ON s.id = r.store_id
            WHERE r.household_id = \(household) AND r.booked_month IS NOT NULL
            """
        ).decode((ReceiptID, LocalDate, PersonID?, Int64?, CategoryID?, String).self)
        for (id, day, payer, total, category, payee) in receipts {
            let lines =
                try owner.query(
                    "SELECT coalesce(sum(total_minor), 0)::bigint FROM receipt_line WHERE receipt_id = \(id)"
                )
                .first(Int64.self) ?? 0
            // The products of `DrawnReceipts` have no category.
            let part = Part(day: day, flow: .spending, category: category, payer: payer, payee: payee)
            sums[part, default: 0] += total ?? lines
        }
        return sums
    }

    /// The sums of the reader's hidden receipts.
    func hiddenSums(_ reader: PersonID) throws -> [Part: Int64] {
        let rows = try owner.query(
            """
            SELECT r.purchase_day, coalesce(r.total_minor, (SELECT coalesce(sum(l.total_minor), 0)::bigint
                FROM receipt_line l WHERE l.receipt_id = r.id))
            FROM receipt r WHERE r.household_id = \(household) AND r.person_id = \(reader) AND r.stage = 'confirmed'
                AND r.discarded_at IS NULL AND r.hidden_until > current_date AND r.purchase_day IS NOT NULL
            """
        ).decode((LocalDate, Int64).self)
        let parts = rows.map { (Part(day: $0.0, flow: .spending, category: nil, payer: reader, payee: ""), $0.1) }
        return Dictionary(parts, uniquingKeysWith: +)
    }
}
