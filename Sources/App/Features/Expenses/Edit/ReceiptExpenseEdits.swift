import Domain
import Postgres

/// Changes to the row of `expense` that belongs to a receipt.
struct ReceiptExpenseEdits: Sendable {
    let database: Database

    /// Sets the amount in the household's currency that a card slip or an account statement shows. It takes precedence
    /// over the exchange rate.
    ///
    /// - Parameters:
    ///   - minorUnits: nil to convert the receipt by the exchange rate.
    ///   - revision: the revision of the row; 0 if the receipt has none.
    /// - Throws: `Conflict`; `Refusal.notFound`; `Refusal.badRequest` for a receipt in the household's currency.
    func setStated(_ minorUnits: Int64?, of receipt: ReceiptID, revision: Int64, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let (id, day) = try await Self.row(of: receipt, revision: revision, member, changes)
            let stated = try await changes.query(
                """
                UPDATE expense e SET stated_minor = \(minorUnits),
                    stated_currency = CASE WHEN \(minorUnits)::bigint IS NOT NULL THEN h.currency END,
                    revision = e.revision + 1, updated_at = now()
                FROM receipt r, household h
                WHERE e.household_id = \(household) AND e.id = \(id) AND r.household_id = \(household)
                    AND r.id = \(receipt) AND h.id = \(household) AND r.currency <> h.currency
                RETURNING e.id
                """)
            guard !stated.isEmpty else { throw Refusal.badRequest }
            changes.changed(.expense, id)
            try await changes.query(batch: RollUps.spending(days: [day], household))
        }
    }

    /// Sets the category, the payer and the labels.
    ///
    /// - Parameters:
    ///   - category: nil if only the categories of the lines count.
    ///   - keepsStated: whether the stored stated amount is kept and `stated` is ignored.
    ///   - stated: the new stated amount as in `setStated`, for a receipt in another currency than the household's.
    /// - Throws: `Conflict`; `Refusal.notFound`; `Refusal.badRequest` if the category does not belong to the household,
    ///   or if the payer is neither a member nor the receipt's payer.
    func update(
        category: CategoryID?, paidBy: PersonID?, labels: [String], keepsStated: Bool = true, stated: Int64? = nil,
        of receipt: ReceiptID, revision: Int64, by member: Member
    ) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let (id, day) = try await Self.row(of: receipt, revision: revision, member, changes)
            let rows = try await changes.query(batch: [
                "SELECT 1 FROM category WHERE household_id = \(household) AND id = \(category)",
                """
                SELECT 1 FROM membership WHERE household_id = \(household) AND person_id = \(paidBy)
                UNION ALL SELECT 1 FROM expense WHERE household_id = \(household) AND id = \(id) AND paid_by = \(paidBy)
                UNION ALL SELECT 1 FROM receipt
                WHERE household_id = \(household) AND id = \(receipt) AND person_id = \(paidBy)
                """,
            ])
            guard category == nil || !rows[0].isEmpty, paidBy == nil || !rows[1].isEmpty else {
                throw Refusal.badRequest
            }
            // NULL means that the person who uploaded the receipt paid, so that person is not stored as the payer.
            try await changes.query(
                """
                UPDATE expense e SET category_source = CASE WHEN e.category_id IS DISTINCT FROM \(category)
                        THEN \(CategoryDecision.person.rawValue) ELSE e.category_source END,
                    category_id = \(category), labels = \(labels), paid_by = nullif(\(paidBy)::uuid,
                        (SELECT r.person_id FROM receipt r WHERE r.household_id = \(household) AND r.id = \(receipt))),
                    stated_minor = CASE WHEN \(keepsStated) THEN e.stated_minor ELSE \(stated)::bigint END,
                    stated_currency = CASE WHEN \(keepsStated) THEN e.stated_currency
                        WHEN \(stated)::bigint IS NOT NULL THEN h.currency END,
                    revision = e.revision + 1, updated_at = now()
                FROM household h
                WHERE e.household_id = \(household) AND e.id = \(id) AND h.id = \(household)
                """)
            changes.changed(.expense, id)
            try await changes.query(batch: RollUps.spending(days: [day], household))
        }
    }

    /// Returns the receipt's row and the day of the receipt. Creates the row with revision 0 if the receipt has none.
    ///
    /// - Throws: `Conflict`; `Refusal.notFound` for a receipt that is not confirmed or that the member may not see.
    static func row(
        of receipt: ReceiptID, revision: Int64, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> (id: ExpenseID, day: LocalDate) {
        let household = changes.household
        let rows = try await changes.query(batch: [
            """
            SELECT r.purchase_day FROM receipt r WHERE r.household_id = \(household) AND r.id = \(receipt)
                AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL
                AND \(Visibility.condition(member))
            """,
            "SELECT id, revision FROM expense WHERE household_id = \(household) AND receipt_id = \(receipt)",
        ])
        guard let day = try rows[0].first(LocalDate.self) else { throw Refusal.notFound }
        let row = try rows[1].first((ExpenseID, Int64).self)
        try Conflict.requireRevision(row?.1 ?? 0, shown: revision)
        if let (id, _) = row {
            // A sync client may have deleted the row. A change of the receipt's values restores the row.
            try await changes.query(
                """
                UPDATE expense SET discarded_at = NULL
                WHERE household_id = \(household) AND id = \(id) AND discarded_at IS NOT NULL
                """)
            return (id, day)
        }
        let id = ExpenseID.new()
        try await changes.query(
            """
            INSERT INTO expense (household_id, id, receipt_id, person_id, revision)
            VALUES (\(household), \(id), \(receipt), \(changes.person), 0)
            """)
        return (id, day)
    }
}
