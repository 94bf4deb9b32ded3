import Domain
import Postgres

/// Imports the bookings of a bank file, and undoes an import.
struct BankConfirmation: Sendable {
    let database: Database

    struct Counts: Sendable {
        /// The number of expenses that the import created.
        let createdCount: Int
        /// The number of bookings that the import linked with existing expenses or receipts.
        let linkedCount: Int
    }

    /// Since the preview, a matched expense was deleted, hidden or linked to another booking, or a booking got another
    /// match.
    struct StalePreview: Error {}

    /// - Parameters:
    ///   - decisions: by the index of the row. A row without a decision gets its default decision. A row whose default
    ///     is `join` is skipped, because its match may have changed since the preview; the next import of the file
    ///     shows the row again. A known row is imported only if it is doubtful and its decision is `make`.
    ///   - unnamed: the text of an expense when the bank states none.
    ///   - revision: the expected revision of the file; nil for any.
    /// - Returns: nil when the file was imported or discarded before.
    /// - Throws: `StalePreview`, `Conflict`; nothing is imported then.
    func confirm(
        _ id: BankImportID, revision: Int64? = nil, isPersonal: Bool, _ preview: BankPreview,
        _ decisions: [Int: BankPreview.Decision],
        _ suggestions: ExpenseSuggestions, unnamed: String, by member: Member
    ) async throws -> Counts? {
        let chosen = Self.chosen(preview, decisions)
        let rowsToCreate = chosen.filter { $0.1 == .create || $0.1 == .link && $0.0.match == nil }.map(\.0)
        let rowsToLink = chosen.filter { $0.1 == .link && $0.0.match != nil }.map(\.0)
        return try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                """
                UPDATE bank_import SET content = NULL, confirmed_at = now(), revision = revision + 1
                WHERE household_id = \(household) AND id = \(id) AND person_id = \(member.person) AND content IS NOT NULL
                RETURNING format, revision - 1
                """,
                KnownBookings.query((rowsToCreate + rowsToLink).map(\.keyed), member),
            ])
            guard let (format, stored) = try rows[0].first((String, Int64).self) else { return nil }
            try Conflict.requireRevision(stored, shown: revision)
            let known = try KnownBookings(rows[1])
            let newExpenses = rowsToCreate.filter {
                $0.isDoubtful ? !known.hasSameAccount($0.keyed) : !known.contains($0.keyed)
            }.map { row in (id: ExpenseID.new(), row: row) }
            let newJoins = rowsToLink.filter { !known.contains($0.keyed) }
            let amounts = try await HomeAmount.amounts(
                of: newExpenses.map { $0.row.booking.amount }, on: newExpenses.map { $0.row.booking.day }, changes)
            let values = zip(newExpenses, amounts).map { new, amount in
                Self.expense(
                    new.id, new.row.booking, amount: amount.map { abs($0) }, isPersonal: isPersonal, suggestions,
                    unnamed, member)
            }
            try await ExpenseEdits.insert(values, source: "bank", changes)
            let (days, stated) = try await Self.join(newJoins, format, member, changes)
            let (receipts, months) = try await Self.stateAmounts(
                of: newJoins.compactMap { row in
                    row.matchedReceipt.map { (receipt: $0, amount: row.booking.amount) }
                }, changes)
            try await Self.store(
                newExpenses.map {
                    ImportedRow(
                        row: $0.row, expense: $0.id, isReceipt: false, isCreatedByImport: true, hasStated: false)
                }
                    + newJoins.compactMap { row in
                        row.match.map {
                            ImportedRow(
                                row: row, expense: $0.candidate.id, isReceipt: $0.candidate.isReceipt,
                                isCreatedByImport: false,
                                hasStated: $0.candidate.isReceipt
                                    ? receipts.contains($0.candidate.id.relabelled())
                                    : stated.contains($0.candidate.id))
                        }
                    }, of: id, changes)
            // A person has decided against the match that was selected.
            try await BankPairEdits.refuse(
                newExpenses.compactMap { new -> (expense: ExpenseID, other: BankMatching.Candidate)? in
                    guard new.row.defaultDecision == .link, let match = new.row.match else { return nil }
                    return (expense: new.id, other: match.candidate)
                }, changes)
            try await changes.query(
                batch: ExpenseSums.statements(days: days.union(values.map(\.values.day)), household)
                    + RollUps.spending(months.sorted(), household))
            changes.changed(.bankFile, id)
            return Counts(createdCount: values.count, linkedCount: newJoins.count)
        }
    }

    /// Returns the rows to import, with their decisions.
    ///
    /// - Parameter decisions: as in `confirm`.
    static func chosen(
        _ preview: BankPreview, _ decisions: [Int: BankPreview.Decision]
    ) -> [(BankPreview.Row, BankPreview.Decision)] {
        let open = preview.rows.enumerated().filter { offset, row in
            !row.isKnown || row.isDoubtful && decisions[offset] == .create
        }
        return open.map { offset, row in
            (row, decisions[offset] ?? (row.defaultDecision == .link ? .skip : row.defaultDecision))
        }.filter { $0.1 != .skip }
    }

    /// Checks the matched entries, and stores the payments in those that are expenses.
    ///
    /// - Returns: the dates of the expenses, and the expenses that got an amount from the booking.
    private static func join(
        _ rows: [BankPreview.Row], _ format: String, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> (days: Set<LocalDate>, stated: Set<ExpenseID>) {
        let household = changes.household
        let targets = rows.compactMap(\.match?.candidate)
        guard !targets.isEmpty else { return ([], []) }
        let linked = try await changes.query(
            """
            SELECT coalesce(b.expense_id, b.receipt_id), count(*) FROM bank_booking b
            JOIN bank_import i ON i.household_id = b.household_id AND i.id = b.import_id
            WHERE b.household_id = \(household) AND i.format = \(format)
                AND (b.expense_id = ANY(\(targets.map(\.id))) OR b.receipt_id = ANY(\(targets.map(\.id)))) GROUP BY 1
            """
        ).decode((ExpenseID, Int64).self)
        let counts = Dictionary(linked) { first, _ in first }
        let isLinkedSince = targets.contains { (counts[$0.id] ?? 0) > Int64($0.booked.count) }
        let expenses = rows.filter { $0.match?.candidate.isReceipt == false }
        let ids = expenses.compactMap(\.match?.candidate.id)
        let receipts: [ReceiptID] = targets.filter(\.isReceipt).map { $0.id.relabelled() }
        let results = try await changes.query(
            batch: [
                StoredExpense.query(ids, member),
                """
                SELECT r.id FROM receipt r WHERE r.household_id = \(household) AND r.id = ANY(\(receipts))
                    AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL
                    AND \(Visibility.condition(member))
                """,
            ])
        let stored = try results[0].decode(StoredExpense.self)
        guard !isLinkedSince, stored.count == Set(ids).count, stored.allSatisfy({ !$0.isDiscarded }),
            results[1].count == Set(receipts).count
        else { throw StalePreview() }
        let states = try await storePayments(
            zip(ids, expenses).map { (expense: $0, booking: $1.booking) }, changes)
        return (Set(stored.map(\.day)), states)
    }

    /// Stores two values in expenses without a receipt: the payment date and, if the expense is in another currency,
    /// the amount in the household's currency.
    ///
    /// - Returns: the expenses that got an amount from the booking. The caller recomputes the sums.
    static func storePayments(
        _ payments: [(expense: ExpenseID, booking: BankBooking)], _ changes: HouseholdTransaction
    ) async throws -> Set<ExpenseID> {
        guard !payments.isEmpty else { return [] }
        let household = changes.household
        let ids = payments.map { $0.expense }
        let amounts = payments.map { $0.booking.amount }
        let stated = try await changes.query(
            """
            UPDATE expense e SET paid_on = t.day, revision = e.revision + 1, updated_at = now(),
                stated_minor = CASE WHEN t.states THEN t.amount ELSE e.stated_minor END,
                stated_currency = CASE WHEN t.states THEN t.currency ELSE e.stated_currency END
            FROM (SELECT x.*, x.currency = h.currency AND o.currency <> h.currency AND o.stated_minor IS NULL AS states
                FROM unnest(\(ids)::uuid[], \(payments.map { $0.booking.day })::date[],
                    \(amounts.map { abs($0.minorUnits) })::bigint[], \(amounts.map(\.currency.code))::text[])
                    AS x (id, day, amount, currency)
                JOIN expense o ON o.household_id = \(household) AND o.id = x.id
                JOIN household h ON h.id = \(household)) t
            WHERE e.household_id = \(household) AND e.id = t.id RETURNING e.id, t.states
            """
        ).decode((ExpenseID, Bool).self)
        changes.changed(.expense, ids)
        return Set(stated.filter(\.1).map(\.0))
    }

    /// A row with the expense or receipt to which it was linked.
    private struct ImportedRow {
        let row: BankPreview.Row
        let expense: ExpenseID
        let isReceipt: Bool
        /// Whether the import created the expense.
        let isCreatedByImport: Bool
        /// Whether the import stored the booking's amount as the expense's amount in the household's currency.
        let hasStated: Bool
    }

    private static func store(
        _ rows: [ImportedRow], of id: BankImportID, _ changes: HouseholdTransaction
    ) async throws {
        for batch in rows.batches(of: 1_000) {
            let originals = batch.map { $0.row.booking.signedOriginal }
            let originalAmounts: [Int64?] = originals.map { $0?.minorUnits }
            let originalCurrencies: [String?] = originals.map { $0?.currency.code }
            try await changes.query(
                """
                INSERT INTO bank_booking (household_id, id, import_id, source_key, account, day, amount_minor, currency,
                    original_minor, original_currency, payee, purpose, expense_id, receipt_id, is_made, has_stated)
                SELECT \(changes.household), t.id, \(id), t.key, t.account, t.day, t.amount, t.currency, t.original,
                    t.original_currency, t.payee, t.purpose,
                    CASE WHEN NOT t.is_receipt THEN t.target END, CASE WHEN t.is_receipt THEN t.target END,
                    t.is_made, t.has_stated
                FROM unnest(\(batch.map { _ in BankBookingID.new() })::uuid[], \(batch.map(\.row.keyed.key))::text[],
                    \(batch.map(\.row.booking.account))::text[], \(batch.map(\.row.booking.day))::date[], \(batch.map(\.row.booking.amount.minorUnits))::bigint[],
                    \(batch.map(\.row.booking.amount.currency.code))::text[],
                    \(originalAmounts)::bigint[], \(originalCurrencies)::text[], \(batch.map(\.row.booking.payee))::text[],
                    \(batch.map(\.row.booking.purpose))::text[], \(batch.map(\.expense))::uuid[],
                    \(batch.map(\.isReceipt))::boolean[], \(batch.map(\.isCreatedByImport))::boolean[],
                    \(batch.map(\.hasStated))::boolean[])
                    AS t (id, key, account, day, amount, currency, original, original_currency, payee, purpose, target,
                        is_receipt, is_made, has_stated)
                """)
        }
    }

    /// - Parameter amount: in the household's currency, without a sign; nil if no exchange rate is known.
    private static func expense(
        _ id: ExpenseID, _ booking: BankBooking, amount: Int64?, isPersonal: Bool, _ suggestions: ExpenseSuggestions,
        _ unnamed: String, _ member: Member
    ) -> NewExpense {
        let text = booking.payee.isEmpty ? booking.purpose : booking.payee
        let what = (text.isEmpty ? unnamed : text).cut(to: TextLimit.purpose)
        let magnitude = Amount(minorUnits: abs(booking.amount.minorUnits), currency: booking.amount.currency)
        let searched = "\(what) \(booking.payee.isEmpty ? "" : booking.purpose)"
        let found = suggestions.find(what: searched, payee: booking.payee, amount: amount)
        let rule = suggestions.rule(what: searched, payee: booking.payee, amount: amount)
        let values = ExpenseValues(
            kind: booking.kind, what: what, amount: magnitude, stated: nil, day: booking.day,
            payee: found?.payee ?? booking.payee.cut(to: TextLimit.payee), category: found?.category,
            paidBy: member.person, labels: rule?.values.labels ?? [],
            note: booking.payee.isEmpty ? "" : booking.purpose.cut(to: TextLimit.note), isPersonal: isPersonal)
        return NewExpense(
            id: id, values: values, decision: found?.decision ?? .suggested, people: rule?.values.people ?? [])
    }
}
