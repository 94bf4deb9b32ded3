import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// The expected sums, computed row by row from the stored expenses and receipts.
extension RandomExpenses {
    /// The properties by which amounts are grouped and summed up.
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

    /// A conversion to the household's currency, rounded half away from zero.
    struct Factor {
        var dividend = Int128(1)
        var divisor = Int128(1)

        func applied(to amount: Int64) -> Int64 {
            let product = Int128(amount) * dividend
            let size = (product.magnitude * 2 + divisor.magnitude) / (divisor.magnitude * 2)
            return product < 0 ? -Int64(size) : Int64(size)
        }
    }

    /// Returns the conversion by the newest rate of the last seven days.
    private func rate(_ currency: String, _ day: LocalDate) throws -> Factor? {
        let rates = try owner.query(
            "SELECT day, per_euro_millionths, digits::bigint FROM exchange_rate WHERE household_id = \(household) AND currency = \(currency)"
        ).decode((LocalDate, Int64, Int64).self)
        let applied = rates.filter { $0.0 <= day && $0.0.days(to: day) <= 7 }.max { $0.0 < $1.0 }
        guard let (_, rate, digits) = applied else { return nil }
        let scale = (0..<digits).reduce(Int128(1)) { power, _ in power * 10 }
        return Factor(dividend: 100_000_000, divisor: Int128(rate) * scale)
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
                let home = try currency == "EUR" ? amount : stated ?? rate(currency, day)?.applied(to: amount)
                return NaiveExpense(
                    part: Part(day: day, flow: kind.flow, category: category, payer: payer, payee: payee),
                    amount: home.map { kind.sign * $0 })
            }
    }

    /// The number of the reader's expenses on these days without an exchange rate.
    func countWithoutRate(_ days: Range<LocalDate>, _ reader: PersonID) throws -> Int {
        try expenses(reader).count { $0.amount == nil && days.contains($0.part.day) }
            + naiveReceipts().count { $0.factor == nil && days.contains($0.day) }
    }

    private struct NaiveReceipt {
        let day: LocalDate
        let payer: PersonID?
        let payee: String
        /// The category of lines without a category, and of the part of the total that the lines do not cover.
        let category: CategoryID?
        let total: Int64?
        let lines: [(Int64, CategoryID?)]
        /// Nil without an exchange rate.
        let factor: Factor?

        /// The converted amounts of the lines and of the rest of the total. Each has the category in which it counts,
        /// or nil for no category. The array is nil without an exchange rate.
        var parts: [(Int64, CategoryID?)]? {
            guard let factor else { return nil }
            var (parts, sum): ([(Int64, CategoryID?)], Int64) = ([], 0)
            for (amount, lineCategory) in lines {
                parts.append((factor.applied(to: sum + amount) - factor.applied(to: sum), lineCategory ?? category))
                sum += amount
            }
            if let total { parts.append((factor.applied(to: total) - factor.applied(to: sum), category)) }
            return parts
        }
    }

    private func naiveReceipts() throws -> [NaiveReceipt] {
        let rows = try owner.query(
            """
            SELECT r.id, r.purchase_day, coalesce(e.paid_by, r.person_id), r.total_minor, e.category_id,
                coalesce(s.chain, ''), r.currency, e.stated_minor FROM receipt r
            LEFT JOIN expense e ON e.receipt_id = r.id
            LEFT JOIN store s ON s.id = r.store_id
            WHERE r.household_id = \(household) AND r.booked_month IS NOT NULL
            """
        ).decode((ReceiptID, LocalDate, PersonID?, Int64?, CategoryID?, String, String, Int64?).self)
        return try rows.map { id, day, payer, total, category, payee, currency, stated in
            // The products of `DrawnReceipts` have no category.
            let lines = try owner.query(
                "SELECT total_minor, category_id FROM receipt_line WHERE receipt_id = \(id) ORDER BY position, id"
            ).decode((Int64, CategoryID?).self)
            let size = abs(total ?? lines.map(\.0).reduce(0, +))
            var factor: Factor? = Factor()
            if currency != "EUR" {
                factor =
                    if let stated, size > 0 { Factor(dividend: Int128(stated), divisor: Int128(size)) } else {
                        try rate(currency, day)
                    }
            }
            return NaiveReceipt(
                day: day, payer: payer, payee: payee, category: category, total: total, lines: lines, factor: factor)
        }
    }

    /// The receipts' spending by day and category, which the overview shows.
    func naiveSpending() throws -> [String: Int64] {
        var sums: [String: Int64] = [:]
        for receipt in try naiveReceipts() {
            for (amount, category) in receipt.parts ?? [] {
                sums["\(receipt.day.iso) \(category ?? CategoryID(high: 0, low: 0))", default: 0] += amount
            }
        }
        return sums.filter { $0.value != 0 }
    }

    func naiveSums(_ reader: PersonID) throws -> [Part: Int64] {
        var sums: [Part: Int64] = [:]
        for expense in try expenses(reader) {
            guard let amount = expense.amount else { continue }
            sums[expense.part, default: 0] += amount
        }
        for receipt in try naiveReceipts() {
            for (amount, category) in receipt.parts ?? [] {
                let part = Part(
                    day: receipt.day, flow: .spending, category: category, payer: receipt.payer, payee: receipt.payee)
                sums[part, default: 0] += amount
            }
        }
        return sums
    }

    /// The sums of the reader's hidden receipts, whose lines have no category of their own.
    func hiddenSums(_ reader: PersonID) throws -> [Part: Int64] {
        let rows = try owner.query(
            """
            SELECT r.purchase_day, coalesce(r.total_minor, (SELECT coalesce(sum(l.total_minor), 0)::bigint
                FROM receipt_line l WHERE l.receipt_id = r.id)), e.category_id
            FROM receipt r LEFT JOIN expense e ON e.receipt_id = r.id
            WHERE r.household_id = \(household) AND r.person_id = \(reader) AND r.stage = 'confirmed'
                AND r.discarded_at IS NULL AND r.hidden_until > current_date AND r.purchase_day IS NOT NULL
            """
        ).decode((LocalDate, Int64, CategoryID?).self)
        let parts = rows.map { (Part(day: $0.0, flow: .spending, category: $0.2, payer: reader, payee: ""), $0.1) }
        return Dictionary(parts, uniquingKeysWith: +)
    }
}
