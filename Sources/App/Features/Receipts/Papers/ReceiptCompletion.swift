import Domain
import Postgres

/// Values that are not printed on the receipt and are stored when it is confirmed: the category chosen on the review
/// page, the day of payment, and the results of the household's rules. A stored category is replaced only if a person
/// chose another category. The labels of a rule are added to the stored labels if the combined labels stay within the
/// limits.
struct ReceiptCompletion: Sendable {
    /// The values that a person chose on the review page.
    struct Choice: Sendable, Equatable {
        var category: CategoryID?
        var decision = CategoryDecision.person
        var paidOn: LocalDate?
    }

    /// The caller then adds the receipt to the sums.
    ///
    /// - Parameter draft: the values that the row of the receipt has in the database.
    static func write(
        _ id: ReceiptID, _ draft: ReviewDraft, _ choice: Choice?, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let rows = try await changes.query(batch: [
            StoredRule.query(household),
            "SELECT person_id FROM membership WHERE household_id = \(household)",
            """
            SELECT \(HomeAmount.magnitude) FROM receipt r JOIN household h ON h.id = \(household)
            WHERE r.household_id = \(household) AND r.id = \(id)
            """,
            "SELECT 1 FROM category WHERE household_id = \(household) AND id = \(choice?.category)",
        ])
        guard choice?.category == nil || !rows[3].isEmpty else { throw Refusal.badRequest }
        let rules = try rows[0].decode(StoredRule.self)
        let amount = try rows[2].first(Int64?.self) ?? nil
        let index = OwnRules(rules.map(\.values.entry)).index(what: draft.store, payee: draft.store, amount: amount)
        let rule = index.map { rules[$0].values }
        let members = try rows[1].decode(PersonID.self)
        // A hidden gift is not split, because the shares would reveal it to the other members.
        let people = draft.hiddenUntil == nil ? (rule?.people ?? []).filter(members.contains) : []
        let category = choice?.category ?? rule?.category
        let isChosen = choice?.category != nil && choice?.decision == .person
        let decision = choice?.category == nil ? CategoryDecision.rule : choice?.decision ?? .person
        guard category != nil || choice?.paidOn != nil || rule?.labels.isEmpty == false || !people.isEmpty else {
            return
        }
        let labels = rule?.labels ?? []
        let expense = try await changes.query(
            """
            INSERT INTO expense AS e (household_id, id, receipt_id, person_id, category_id, category_source, labels, paid_on, split)
            VALUES (\(household), \(ExpenseID.new()), \(id), \(changes.person), \(category),
                \(category == nil ? "" : decision.rawValue), \(labels), \(choice?.paidOn),
                \(people.isEmpty ? "" : SplitMethod.equal.rawValue))
            ON CONFLICT (household_id, receipt_id) DO UPDATE
            SET category_source = CASE WHEN \(isChosen) OR e.category_id IS NULL
                    THEN excluded.category_source ELSE e.category_source END,
                category_id = CASE WHEN \(isChosen) OR e.category_id IS NULL
                    THEN excluded.category_id ELSE e.category_id END,
                labels = (SELECT CASE WHEN cardinality(m.merged) <= \(Int32(TypedExpense.maximumLabels))
                        AND length(array_to_string(m.merged, ' ')) <= \(Int32(TextLimit.labels))
                    THEN m.merged ELSE e.labels END
                    FROM (SELECT e.labels || ARRAY(SELECT k FROM unnest(excluded.labels) AS k
                        WHERE NOT k = ANY(e.labels)) AS merged) m),
                paid_on = coalesce(excluded.paid_on, e.paid_on),
                split = CASE WHEN e.split = '' THEN excluded.split ELSE e.split END,
                revision = e.revision + 1, updated_at = now()
            RETURNING e.id, NOT EXISTS (SELECT 1 FROM expense_share s
                WHERE s.household_id = e.household_id AND s.expense_id = e.id)
            """
        ).first((ExpenseID, Bool).self)
        guard let (expenseID, isUndivided) = expense else { return }
        if isUndivided, !people.isEmpty {
            try await changes.query(
                batch: SplitEdits.shares(
                    Dictionary(people.map { ($0, 1) }) { first, _ in first }, of: expenseID, household))
        }
        changes.changed(.expense, expenseID)
    }
}
