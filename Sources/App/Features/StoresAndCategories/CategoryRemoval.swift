import Domain
import Postgres

/// Removes unused categories, and merges categories.
struct CategoryRemoval: Sendable {
    let database: Database

    /// - Parameter other: the category that gets the products, lines and subcategories; nil to remove an unused
    ///   category.
    /// - Throws: `RemovalError`, `Conflict`, `AlreadyDeleted`, `Refusal.notFound`; `Refusal.badRequest` if `other` is
    ///   `id`.
    func remove(_ id: CategoryID, into other: CategoryID?, revision: Int64, by member: Member) async throws {
        guard other != id else { throw Refusal.badRequest }
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            let rows = try await changes.query(batch: [
                "SELECT revision, key FROM category WHERE household_id = \(household) AND id = \(id)",
                "SELECT key FROM category WHERE household_id = \(household) AND id = \(other)",
                """
                SELECT month FROM spending_month WHERE household_id = \(household) AND category_id = \(id)
                UNION SELECT date_trunc('month', day)::date FROM expense_day
                WHERE household_id = \(household) AND category_id = \(id)
                """,
            ])
            guard let (stored, key) = try rows[0].first((Int64, String).self) else {
                throw try await changes.errorForMissing(id)
            }
            try Conflict.requireRevision(stored, shown: revision)
            let months = try rows[2].decode(LocalDate.self)
            if let other {
                guard let otherKey = try rows[1].first(String.self) else {
                    throw try await changes.wasDeleted(other) ? Conflict() as any Error : Refusal.notFound
                }
                // Deposit lines get their category by the key `deposit`, so the merge must keep this key.
                guard key != "deposit" || otherKey.isEmpty else { throw RemovalError.isDepositCategory }
                try await Self.move(from: id, to: other, changes)
            } else if !months.isEmpty {
                throw RemovalError.inUse
            }
            _ = try await onConstraint([
                "product_category_fkey": RemovalError.inUse, "receipt_line_category_fkey": RemovalError.inUse,
                "category_parent_fkey": RemovalError.inUse, "expense_category_fkey": RemovalError.inUse,
                "budget_category_fkey": RemovalError.inUse, "expense_rule_category_fkey": RemovalError.inUse,
                "recurring_expense_category_fkey": RemovalError.inUse,
            ]) {
                try await changes.query("DELETE FROM category WHERE household_id = \(household) AND id = \(id)")
            }
            changes.deleted(.category, id, lastRevision: stored)
            let sums = RollUps.spending(months, household)
            if !sums.isEmpty { try await changes.query(batch: sums) }
        }
    }

    private static func move(
        from id: CategoryID, to other: CategoryID, _ changes: HouseholdTransaction
    ) async throws {
        let household = changes.household
        let rows = try await changes.query(batch: [
            """
            UPDATE product SET category_id = \(other), revision = revision + 1
            WHERE household_id = \(household) AND category_id = \(id) RETURNING id
            """,
            """
            UPDATE receipt_line SET category_id = \(other)
            WHERE household_id = \(household) AND category_id = \(id) RETURNING receipt_id
            """,
            """
            UPDATE expense SET category_id = \(other), revision = revision + 1
            WHERE household_id = \(household) AND category_id = \(id) RETURNING id
            """,
            """
            UPDATE budget SET category_id = \(other), revision = revision + 1
            WHERE household_id = \(household) AND category_id = \(id) RETURNING id
            """,
            """
            UPDATE expense_rule SET category_id = \(other), revision = revision + 1
            WHERE household_id = \(household) AND category_id = \(id) RETURNING id
            """,
            """
            UPDATE recurring_expense SET category_id = \(other), revision = revision + 1
            WHERE household_id = \(household) AND category_id = \(id) RETURNING id
            """,
            // A target below the removed category becomes a child of the removed category's parent, so that no cycle is
            // created. The target gets the key and the default split of the removed category, if it has none.
            """
            UPDATE category o SET revision = o.revision + 1, key = CASE WHEN o.key = '' THEN l.key ELSE o.key END,
                split = CASE WHEN o.split = '' THEN l.split ELSE o.split END,
                parent_id = CASE WHEN o.id IN (
                    WITH RECURSIVE below AS (
                        SELECT \(id)::uuid AS id
                        UNION SELECT c.id FROM category c JOIN below ON c.parent_id = below.id
                        WHERE c.household_id = \(household))
                    SELECT id FROM below) THEN l.parent_id ELSE o.parent_id END
            FROM category l
            WHERE o.household_id = \(household) AND o.id = \(other) AND l.household_id = \(household) AND l.id = \(id)
            """,
            // Subcategories keep their depth: they become siblings of the target. If the target has no parent, they
            // become its children.
            """
            UPDATE category SET revision = revision + 1, parent_id = coalesce(
                (SELECT o.parent_id FROM category o WHERE o.household_id = \(household) AND o.id = \(other)), \(other))
            WHERE household_id = \(household) AND parent_id = \(id) AND id <> \(other) RETURNING id
            """,
        ])
        let receipts = Set(try rows[1].decode(ReceiptID.self)).sorted()
        try await changes.query(batch: [
            """
            UPDATE category_share SET category_id = \(other)
            WHERE household_id = \(household) AND category_id = \(id) AND NOT EXISTS (SELECT 1 FROM category_share o
                WHERE o.household_id = \(household) AND o.category_id = \(other))
            """,
            "UPDATE receipt SET revision = revision + 1 WHERE household_id = \(household) AND id = ANY(\(receipts))",
            // When a run of a rule is undone later, the target is restored in place of the removed category.
            """
            UPDATE expense_rule_change
            SET category_before = CASE WHEN category_before = \(id) THEN \(other) ELSE category_before END,
                category_after = CASE WHEN category_after = \(id) THEN \(other) ELSE category_after END
            WHERE household_id = \(household) AND (category_before = \(id) OR category_after = \(id))
            """,
        ])
        changes.changed(.product, try rows[0].decode(ProductID.self))
        changes.changed(.receipt, receipts)
        changes.changed(.expense, try rows[2].decode(ExpenseID.self))
        changes.changed(.budget, try rows[3].decode(BudgetID.self))
        changes.changed(.expenseRule, try rows[4].decode(ExpenseRuleID.self))
        changes.changed(.recurringExpense, try rows[5].decode(RecurringExpenseID.self))
        changes.changed(.category, [other] + (try rows[7].decode(CategoryID.self)))
    }
}
