import Domain
import Postgres

/// Changes to recurring expenses. Each operation is one transaction.
struct RecurringEdits: Sendable {
    let database: Database

    /// - Parameters:
    ///   - payeeKey: nil to derive it from the name.
    ///   - form: the submitted form, which has an effect only once; nil for other requests.
    /// - Throws: `TooMany`, `RepeatedForm`, `Refusal.badRequest`.
    @discardableResult
    func add(
        _ values: StoredRecurring.Values, payeeKey: String? = nil, form: OperationID? = nil, by member: Member
    ) async throws -> RecurringExpenseID {
        let id = RecurringExpenseID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            try await Self.insert(id, values, payeeKey: payeeKey, isDismissed: false, changes, by: member)
        }
        return id
    }

    /// Adds a proposal, or dismisses it permanently.
    ///
    /// - Returns: nil if a member has already added or dismissed the proposal.
    /// - Throws: `TooMany`, `Refusal.badRequest`.
    func decide(
        _ values: StoredRecurring.Values, payeeKey: String, isDismissed: Bool, by member: Member
    ) async throws -> RecurringExpenseID? {
        let id = RecurringExpenseID.new()
        return try await database.write(member.household, by: member.person) { changes in
            let proposals = try await changes.query(RecurringProposals.decidedProposals(member))
            let decided = try proposals.decode((String, Int64).self)
            let isDecided = decided.contains {
                $0.0 == payeeKey && RecurringProposals.covers(decided: $0.1, amount: values.amount)
            }
            guard !isDecided else { return nil }
            try await Self.insert(id, values, payeeKey: payeeKey, isDismissed: isDismissed, changes, by: member)
            return id
        }
    }

    /// Saves the payment that is due on a date as an expense, with the labels and the split of the matching rule.
    ///
    /// - Returns: nil if no payment is due on this date, for example because another member has saved it.
    /// - Throws: `AlreadyDeleted`, `Refusal.notFound`, `Refusal.badRequest`.
    func pay(_ id: RecurringExpenseID, due: String, by member: Member) async throws -> ExpenseID? {
        let expense = ExpenseID.new()
        return try await database.write(member.household, by: member.person) { changes in
            let rows = try await changes.query(batch: [
                StoredRecurring.query(member), "SELECT currency FROM household WHERE id = \(changes.household)",
            ])
            guard let stored = try rows[0].decode(StoredRecurring.self).first(where: { $0.id == id }) else {
                throw try await changes.errorForMissing(id)
            }
            let day = stored.next
            guard day.iso == due, day <= WallClock.today() else { return nil }
            let home = CurrencyCode(try rows[1].first(Currency.self) ?? .eur)
            let values = ExpenseValues(
                kind: .expense, what: stored.values.name,
                amount: Amount(minorUnits: stored.values.amount, currency: home), stated: nil, day: day, payee: "",
                category: stored.values.category, paidBy: member.person, labels: [], note: "",
                isPersonal: stored.values.isPersonal)
            try await ExpenseEdits.require(values, changes)
            let suggestions = try await ExpenseSuggestions.load(member, changes)
            let new = suggestions.complete(
                values, amount: stored.values.amount, suggestsCategory: values.category == nil)
            try await ExpenseEdits.insert(
                [
                    NewExpense(
                        id: expense, values: new.values, decision: new.decision, people: new.people,
                        payeeKey: stored.payeeKey)
                ], source: "recurring", changes)
            try await changes.query(batch: ExpenseSums.statements(days: [day], changes.household))
            return expense
        }
    }

    /// - Parameters:
    ///   - payeeKey: nil to derive it from the name.
    ///   - isDismissed: whether to store a dismissed proposal, which is neither expected nor proposed again.
    /// - Throws: `TooMany`, `Refusal.badRequest`.
    static func insert(
        _ id: RecurringExpenseID, _ values: StoredRecurring.Values, payeeKey: String? = nil, isDismissed: Bool,
        _ changes: HouseholdTransaction, by member: Member
    ) async throws {
        let household = changes.household
        try await Self.require(values, changes)
        try await changes.requireRoom(
            for: "recurring expenses", limit: StoredRecurring.maximumStored,
            count: "SELECT count(*) FROM recurring_expense WHERE household_id = \(household)")
        try await changes.query(
            """
            INSERT INTO recurring_expense (household_id, id, name, payee_key, category_id, repeats, month_day, amount_minor,
                tolerance, starts_on, is_dismissed, person_id, is_personal)
            VALUES (\(household), \(id), \(values.name), \(payeeKey ?? Self.key(values.name)), \(values.category),
                \(values.interval.rawValue), \(Int32(values.starts.day))::smallint, \(values.amount),
                \(values.tolerance)::smallint, \(values.starts), \(isDismissed), \(member.person),
                \(values.isPersonal))
            """)
        changes.changed(.recurringExpense, id)
    }

    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`, `Refusal.badRequest`.
    func update(
        _ id: RecurringExpenseID, _ values: StoredRecurring.Values, revision: Int64, by member: Member
    ) async throws {
        try await change(id, revision: revision, by: member) { changes, name in
            try await Self.require(values, changes)
            try await changes.query(Self.writing(values, to: id, isRenamed: name != values.name, changes, by: member))
            changes.changed(.recurringExpense, id)
        }
    }

    /// Returns a statement that writes all values and increments the revision. A new name also changes the payee key,
    /// unless there are payments with the old key and none with the new one.
    static func writing(
        _ values: StoredRecurring.Values, to id: RecurringExpenseID, isRenamed: Bool, _ changes: HouseholdTransaction,
        by member: Member
    ) -> SQL {
        let key = Self.key(values.name)
        let (isNewPaid, isOldPaid) = (isPaid("\(key)", member), isPaid("recurring_expense.payee_key", member))
        return """
            UPDATE recurring_expense SET name = \(values.name), category_id = \(values.category),
                payee_key = CASE WHEN \(isRenamed) AND (\(isNewPaid) OR NOT \(isOldPaid)) THEN \(key) ELSE payee_key END,
                repeats = \(values.interval.rawValue), month_day = \(Int32(values.starts.day))::smallint,
                amount_minor = \(values.amount), tolerance = \(values.tolerance)::smallint,
                starts_on = \(values.starts),
                is_personal = CASE WHEN person_id = \(member.person) THEN \(values.isPersonal) ELSE is_personal END,
                revision = revision + 1
            WHERE household_id = \(changes.household) AND id = \(id)
            """
    }

    /// A condition: whether there are payments to the payee with this key.
    private static func isPaid(_ key: SQL, _ member: Member) -> SQL {
        """
        EXISTS (SELECT 1 FROM expense e WHERE e.household_id = \(member.household) AND e.payee_key = \(key)
            AND e.discarded_at IS NULL AND e.kind = 'expense' AND \(ExpenseVisibility.condition(member)))
        """
    }

    /// - Parameter revision: the expected revision; nil for any.
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`.
    func remove(_ id: RecurringExpenseID, revision: Int64?, by member: Member) async throws {
        try await change(id, revision: revision, by: member) { changes, _ in
            let stored = try await changes.query(
                """
                DELETE FROM recurring_expense WHERE household_id = \(changes.household) AND id = \(id)
                RETURNING revision
                """
            ).first(Int64.self)
            guard let stored else { throw Refusal.notFound }
            changes.deleted(.recurringExpense, id, lastRevision: stored)
        }
    }

    /// Runs `body` with the stored name in a transaction, if the stored revision is the expected one; nil accepts any
    /// revision.
    ///
    /// - Throws: `Conflict`, `AlreadyDeleted`, `Refusal.notFound`; the errors of `body`.
    private func change(
        _ id: RecurringExpenseID, revision: Int64?, by member: Member,
        _ body: (HouseholdTransaction, String) async throws -> Void
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let stored = try await changes.query(
                """
                SELECT r.revision, r.name FROM recurring_expense r WHERE r.household_id = \(changes.household)
                    AND r.id = \(id) AND \(StoredRecurring.isSeen(by: member))
                """
            ).first((Int64, String).self)
            guard let stored else { throw try await changes.errorForMissing(id) }
            try Conflict.requireRevision(stored.0, shown: revision)
            try await body(changes, stored.1)
        }
    }

    /// Returns the payee key for a typed name: the same key as for an expense with this description, so that its
    /// payments are found.
    private static func key(_ name: String) -> String {
        let key = ExpenseValues(
            kind: .expense, what: name, amount: Amount(minorUnits: 1), stated: nil, day: .firstPurchaseDay, payee: "",
            category: nil, paidBy: nil, labels: [], note: "", isPersonal: false
        ).payeeKey.cut(to: TextLimit.payee)
        return key.isEmpty ? FoldedText.fold(name).cut(to: TextLimit.payee) : key
    }

    /// - Throws: `Refusal.badRequest` if the category does not belong to the household.
    static func require(_ values: StoredRecurring.Values, _ changes: HouseholdTransaction) async throws {
        let rows = try await changes.query(
            "SELECT 1 FROM category WHERE household_id = \(changes.household) AND id = \(values.category)")
        guard values.category == nil || !rows.isEmpty else { throw Refusal.badRequest }
    }
}
