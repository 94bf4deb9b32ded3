import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// Confirmed receipts of a random household, in several currencies.
extension RandomExpenses {
    /// Adds a confirmed receipt of 0 to 5 lines, with or without a printed total, and updates the sums.
    func addReceipt(_ random: inout SplitMix64) async throws {
        let receipt = ReceiptID.new()
        let currency = ["EUR", "USD", "USD", "PLN"].randomElement(using: &random) ?? "EUR"
        let amounts = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            Int64.random(in: -900...20_000, using: &random)
        }
        let day = Self.today.adding(days: -Int.random(in: 0...130, using: &random))
        let sum = amounts.reduce(0, +)
        let total = [nil, sum, sum + Int64.random(in: -50...50, using: &random)].randomElement(using: &random) ?? sum
        try owner.query(
            """
            INSERT INTO receipt (household_id, id, stage, verdict, purchase_day, currency, total_minor, person_id,
                confirmed_at)
            VALUES (\(household), \(receipt), 'confirmed', 'review',
                \(day), \(currency), \(total),
                \(people.randomElement(using: &random)), now())
            """)
        for (position, amount) in amounts.enumerated() {
            let category = Bool.random(using: &random) ? categories.randomElement(using: &random) : nil
            try owner.query(
                """
                INSERT INTO receipt_line (household_id, id, receipt_id, position, kind, printed_name, total_minor, category_id)
                VALUES (\(household), \(ReceiptLineID.new()), \(receipt), \(Int32(position)), 'item', 'WARE', \(amount),
                    \(category))
                """)
        }
        receipts.append(receipt)
        if let code = CurrencyCode(currency), code.code != "EUR", Bool.random(using: &random) {
            let rate = EuroRate(
                currency: code, day: day.adding(days: -Int.random(in: 0...8, using: &random)),
                perEuroMillionths: Int64.random(in: 500_000...9_000_000, using: &random))
            try await ExchangeRates(database: harness.database).store([rate], .manual, by: member)
        }
        try await harness.database.write(household, by: nil) { changes in
            try await PriceHistory.update([receipt], changes)
        }
    }

    /// Sets or removes the stated amount, in euros, of a receipt in another currency. Returns the name of the change.
    func changeStatedAmount(_ random: inout SplitMix64) async throws -> String {
        guard let receipt = receipts.randomElement(using: &random) else { return "nothing" }
        let stored = try owner.query(
            """
            SELECT r.currency, coalesce(e.revision, 0) FROM receipt r LEFT JOIN expense e ON e.receipt_id = r.id
            WHERE r.id = \(receipt)
            """
        ).first((String, Int64).self)
        guard let stored, stored.0 != "EUR" else { return "nothing" }
        let amount = Bool.random(using: &random) ? Int64.random(in: 0...90_000, using: &random) : nil
        try await ReceiptExpenseEdits(database: harness.database).setStated(
            amount, of: receipt, revision: stored.1, by: member)
        return "stated"
    }

    /// Sets or removes the category of some receipts, and undoes this in half of the cases. Returns the name of the
    /// change.
    func categoriseReceipts(_ random: inout SplitMix64) async throws -> String {
        var selected: [ReceiptID] = []
        for receipt in receipts where Bool.random(using: &random) { selected.append(receipt) }
        let edits = ExpenseBulkEdits(database: harness.database)
        let category = Int.random(in: 0..<4, using: &random) == 0 ? nil : categories.randomElement(using: &random)
        let change = try await edits.categorise(
            ExpenseBulkEdits.Selection(expenses: [], receipts: selected), as: category, by: member)
        guard let change, Bool.random(using: &random) else { return "categorised receipts" }
        _ = try await edits.undoChange(of: change.expense, revision: change.revision, by: member)
        return "categorised receipts undone"
    }
}
