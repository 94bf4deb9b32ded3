import Domain
import Postgres

/// Changes to expenses without a receipt. Each operation is one transaction.
struct ExpenseEdits: Sendable {
    let database: Database

    /// - Parameters:
    ///   - decision: the origin of the category.
    ///   - people: the members between whom the expense is split equally; empty for no split.
    ///   - payeeKey: nil to derive it from the values.
    ///   - form: the submitted form, which has an effect only once; nil for other requests.
    /// - Throws: `Refusal.badRequest` for a category or a payer that `require` refuses; `RepeatedForm`;
    ///   `AmountTooLarge`.
    func add(
        _ values: ExpenseValues, decision: CategoryDecision = .person, people: [PersonID] = [], payeeKey: String? = nil,
        source: String = "manual", form: OperationID? = nil, by member: Member
    ) async throws -> ExpenseID {
        let id = ExpenseID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            try await Self.require(values, changes)
            try await Self.insert(
                [NewExpense(id: id, values: values, decision: decision, people: people, payeeKey: payeeKey)],
                source: source,
                changes)
            try await AmountTooLarge.check {
                _ = try await changes.query(batch: ExpenseSums.statements(days: [values.day], member.household))
            }
        }
        return id
    }

    /// Inserts expenses. The caller must recompute the sums.
    static func insert(_ expenses: [NewExpense], source: String, _ changes: HouseholdTransaction) async throws {
        let members = try await changes.query(
            "SELECT person_id FROM membership WHERE household_id = \(changes.household)"
        ).decode(PersonID.self)
        for batch in expenses.batches(of: 200) {
            try await changes.query(
                batch: batch.map { expense in
                    let (id, values) = (expense.id, expense.values)
                    return """
                        INSERT INTO expense (household_id, id, kind, what, amount_minor, currency, stated_minor, stated_currency,
                            day, payee, payee_key, category_id, category_source, note, labels, person_id, paid_by, is_personal, split,
                            source)
                        VALUES (\(changes.household), \(id), \(values.kind), \(values.what), \(values.amount.minorUnits),
                            \(values.amount.currency.code), \(values.stated?.minorUnits), \(values.stated?.currency.code),
                            \(values.day), \(values.payee),
                            \(expense.payeeKey ?? values.payeeKey.cut(to: TextLimit.payee)), \(values.category),
                            \(values.category == nil ? "" : expense.decision.rawValue),
                            \(values.note), \(values.labels), \(changes.person), \(values.paidBy), \(values.isPersonal),
                            \(expense.isSplit(members) ? "equal" : ""), \(source))
                        """
                })
        }
        let shares = expenses.filter { $0.isSplit(members) }.flatMap { expense in
            expense.people.filter(members.contains).map { (expense.id, $0) }
        }
        try await changes.query(
            """
            INSERT INTO expense_share (household_id, expense_id, person_id, weight)
            SELECT \(changes.household), t.expense, t.person, 1
            FROM unnest(\(shares.map(\.0))::uuid[], \(shares.map(\.1))::uuid[]) AS t (expense, person)
            """)
        changes.changed(.expense, expenses.map(\.id))
    }

    /// Changes an expense. If it was changed since the form was shown, writes only the fields that the form changes.
    ///
    /// - Throws: `Conflict`, `AlreadyDeleted`, `AmountTooLarge`, `Refusal.notFound`, `Refusal.badRequest`.
    func update(_ id: ExpenseID, _ mine: ExpenseValues, revision: Int64, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                StoredExpense.query([id], member),
                """
                SELECT body ->> 'kind', body ->> 'what', (body ->> 'amount_minor')::bigint, body ->> 'currency',
                    (body ->> 'stated_minor')::bigint, body ->> 'stated_currency', (body ->> 'day')::date, body ->> 'payee',
                    (body ->> 'category_id')::uuid, (body ->> 'paid_by')::uuid,
                    ARRAY(SELECT jsonb_array_elements_text(body -> 'labels')), body ->> 'note',
                    (body ->> 'is_personal')::boolean
                FROM change_log WHERE household_id = \(household) AND document_id = \(id) AND document_type = 'expense'
                    AND revision <= \(revision) AND NOT deleted AND body IS NOT NULL ORDER BY revision DESC LIMIT 1
                """,
            ])
            guard let stored = try rows[0].decode(StoredExpense.self).first else {
                throw try await changes.errorForMissing(id)
            }
            guard !stored.isDiscarded else { throw AlreadyDeleted() }
            var values = mine
            // Only the person who entered an expense can hide it from the others.
            if stored.person != member.person { values.isPersonal = stored.isPersonal }
            if revision < stored.revision {
                let base = try rows[1].first(ExpenseValues.self) ?? stored.values
                values = try Self.merged(values, stored.values, base)
            }
            guard values != stored.values else { return }
            try await Self.require(values, changes)
            try await changes.query(Self.writing(values, to: id, household))
            changes.changed(.expense, id)
            try await AmountTooLarge.check {
                _ = try await changes.query(
                    batch: ExpenseSums.statements(days: [stored.day, values.day], household))
            }
        }
    }

    /// Returns a statement that writes all values and increments the revision. Keeps the payee key if neither the
    /// description nor the payee changes, because the key may come from a recurring expense.
    static func writing(_ values: ExpenseValues, to id: ExpenseID, _ household: HouseholdID) -> SQL {
        let chosen = CategoryDecision.person
        return """
            UPDATE expense SET kind = \(values.kind), what = \(values.what), amount_minor = \(values.amount.minorUnits),
                currency = \(values.amount.currency.code), stated_minor = \(values.stated?.minorUnits),
                stated_currency = \(values.stated?.currency.code), day = \(values.day), payee = \(values.payee),
                payee_key = CASE WHEN what = \(values.what) AND payee = \(values.payee) THEN payee_key
                    ELSE \(values.payeeKey.cut(to: TextLimit.payee)) END,
                category_source = CASE WHEN category_id IS DISTINCT FROM \(values.category) THEN \(chosen.rawValue)
                    ELSE category_source END, category_id = \(values.category),
                note = \(values.note), labels = \(values.labels), paid_by = \(values.paidBy),
                is_personal = \(values.isPersonal), revision = revision + 1, updated_at = now()
            WHERE household_id = \(household) AND id = \(id)
            """
    }

    private static func merged(
        _ mine: ExpenseValues, _ theirs: ExpenseValues, _ base: ExpenseValues
    ) throws(Conflict) -> ExpenseValues {
        func field<Value: Equatable>(_ value: (ExpenseValues) -> Value) throws(Conflict) -> Value {
            try Conflict.merged(mine: value(mine), theirs: value(theirs), base: value(base))
        }
        return ExpenseValues(
            kind: try field(\.kind), what: try field(\.what), amount: try field(\.amount), stated: try field(\.stated),
            day: try field(\.day), payee: try field(\.payee), category: try field(\.category),
            paidBy: try field(\.paidBy), labels: try field(\.labels), note: try field(\.note),
            isPersonal: try field(\.isPersonal))
    }

    /// - Throws: `Refusal.badRequest` if the category does not belong to the household, or if the payer is neither a
    ///   member nor the payer of a stored expense.
    static func require(_ values: ExpenseValues, _ changes: HouseholdTransaction) async throws {
        let rows = try await changes.query(batch: [
            "SELECT 1 FROM category WHERE household_id = \(changes.household) AND id = \(values.category)",
            "SELECT 1 FROM membership WHERE household_id = \(changes.household) AND person_id = \(values.paidBy)",
            // Accept a former member as the payer, because existing expenses can have such a payer.
            "SELECT 1 FROM expense WHERE household_id = \(changes.household) AND paid_by = \(values.paidBy) LIMIT 1",
        ])
        guard values.category == nil || !rows[0].isEmpty,
            values.paidBy == nil || !rows[1].isEmpty || !rows[2].isEmpty
        else { throw Refusal.badRequest }
    }
}
