import Domain
import Postgres

/// Sets the category or the payer of any number of expenses and confirmed receipts, or adds labels to them, in one
/// transaction.
extension ExpenseBulkEdits {
    /// The selected rows of the list.
    struct Selection: Sendable {
        let expenses: [ExpenseID]
        let receipts: [ReceiptID]

        var count: Int { expenses.count + receipts.count }
    }

    /// - Parameter category: nil to remove the category. For a receipt, only the categories of its lines then count.
    /// - Returns: nil if all have the category already.
    /// - Throws: `Refusal.badRequest` if the category does not belong to the household; the errors of `changeValues`.
    func categorise(_ selection: Selection, as category: CategoryID?, by member: Member) async throws -> Change? {
        try await changeValues(of: selection, by: member) { selected, changes in
            let rows = try await changes.query(
                "SELECT 1 FROM category WHERE household_id = \(changes.household) AND id = \(category)")
            guard category == nil || !rows.isEmpty else { throw Refusal.badRequest }
            return (
                selected.filter { $0.category != category },
                "category_id = \(category), category_source = \(CategoryDecision.person.rawValue)"
            )
        }
    }

    /// - Returns: nil if this member has paid all of them already.
    /// - Throws: `Refusal.badRequest` if the payer is not a member; the errors of `changeValues`.
    func setPayer(_ selection: Selection, to payer: PersonID, by member: Member) async throws -> Change? {
        try await changeValues(of: selection, by: member) { selected, changes in
            let rows = try await changes.query(
                "SELECT 1 FROM membership WHERE household_id = \(changes.household) AND person_id = \(payer)")
            guard !rows.isEmpty else { throw Refusal.badRequest }
            // NULL means that the person who uploaded the receipt paid.
            return (
                selected.filter { $0.paidBy != payer },
                """
                paid_by = nullif(\(payer)::uuid, (SELECT r.person_id FROM receipt r
                    WHERE r.household_id = e.household_id AND r.id = e.receipt_id))
                """
            )
        }
    }

    /// Adds labels. Does not change expenses and receipts that already have them, or that would have too many labels.
    ///
    /// - Returns: the change; nil if there is none. `full` is the number of expenses and receipts that would have too
    ///   many labels.
    /// - Throws: the errors of `changeValues`.
    func label(
        _ selection: Selection, with labels: [String], by member: Member
    ) async throws -> (change: Change?, full: Int) {
        var full = 0
        let change = try await changeValues(of: selection, by: member) { selected, _ in
            let unlabelled = selected.filter { !Set(labels).isSubset(of: $0.labels) }
            let fitting = unlabelled.filter { row in
                TypedExpense.allowsLabels(row.labels + labels.filter { !row.labels.contains($0) })
            }
            full = unlabelled.count - fitting.count
            return (
                fitting,
                "labels = labels || ARRAY(SELECT k FROM unnest(\(labels)::text[]) AS k WHERE NOT k = ANY(labels))"
            )
        }
        return (change, full)
    }

    /// Writes an assignment to selected rows. Ignores deleted expenses, and receipts that are not confirmed.
    ///
    /// - Parameter body: returns the rows to change and the assignment.
    /// - Throws: `AlreadyDeleted` if one of them was removed; `Refusal.notFound` if the member may not see one of them;
    ///   the errors of `body`.
    private func changeValues(
        of selection: Selection, by member: Member,
        _ body: ([SelectedExpense], HouseholdTransaction) async throws -> (changed: [SelectedExpense], assignment: SQL)
    ) async throws -> Change? {
        let (expenses, receipts) = (Set(selection.expenses).sorted(), Set(selection.receipts).sorted())
        guard !expenses.isEmpty || !receipts.isEmpty else { return nil }
        return try await database.write(member.household, by: member.person) { changes in
            let selected = try await changes.query(SelectedExpense.query(expenses, receipts, member))
                .decode(SelectedExpense.self)
            let found = (expenses: Set(selected.compactMap(\.expense)), receipts: Set(selected.compactMap(\.receipt)))
            if let missing = expenses.first(where: { !found.expenses.contains($0) }) {
                throw try await changes.errorForMissing(missing)
            }
            if let missing = receipts.first(where: { !found.receipts.contains($0) }) {
                throw try await changes.errorForMissing(missing)
            }
            let (changed, assignment) = try await body(selected.filter { $0.day != nil }, changes)
            guard !changed.isEmpty else { return nil }
            let ids = try await SelectedExpense.rows(of: changed, changes)
            try await Self.update(
                ids, days: Set(changed.filter { $0.receipt == nil }.compactMap(\.day)),
                receiptDays: Set(changed.filter { $0.receipt != nil }.compactMap(\.day)),
                "\(assignment), discarded_at = NULL", changes)
            return Change(expense: ids[0], revision: changed[0].revision + 1, count: ids.count)
        }
    }
}

/// A selected row of the list: an expense or a receipt.
struct SelectedExpense: RowDecodable, Sendable {
    /// The row in `expense`; nil for a receipt without one.
    let row: ExpenseID?
    /// Nil for an expense without a receipt.
    let receipt: ReceiptID?
    /// Nil for a deleted expense, and for a receipt that is not confirmed or was discarded.
    let day: LocalDate?
    let category: CategoryID?
    let paidBy: PersonID?
    let labels: [String]
    /// 0 for a receipt without a row in `expense`.
    let revision: Int64

    /// Nil for a receipt.
    var expense: ExpenseID? { receipt == nil ? row : nil }

    /// Selects those of the expenses and receipts that the member may see.
    static func query(_ expenses: [ExpenseID], _ receipts: [ReceiptID], _ member: Member) -> SQL {
        """
        SELECT e.id, NULL::uuid, CASE WHEN e.discarded_at IS NULL THEN e.day END, e.category_id, e.paid_by, e.labels,
            e.revision
        FROM expense e
        WHERE e.household_id = \(member.household) AND e.id = ANY(\(expenses)) AND e.receipt_id IS NULL
            AND \(ExpenseVisibility.condition(member))
        UNION ALL
        SELECT e.id, r.id, CASE WHEN r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL THEN r.purchase_day END,
            e.category_id, coalesce(e.paid_by, r.person_id), coalesce(e.labels, '{}'), coalesce(e.revision, 0)
        FROM receipt r LEFT JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
        WHERE r.household_id = \(member.household) AND r.id = ANY(\(receipts)) AND \(Visibility.condition(member))
        """
    }

    init(from row: inout RowReader) throws(PostgresError) {
        self.row = try row.next()
        receipt = try row.next()
        day = try row.next()
        category = try row.next()
        paidBy = try row.next()
        labels = try row.next()
        revision = try row.next()
    }

    /// Returns the rows in `expense`, in the same order. Creates rows with revision 0 for receipts that have none.
    static func rows(of selected: [SelectedExpense], _ changes: HouseholdTransaction) async throws -> [ExpenseID] {
        let ids = selected.map { $0.row ?? ExpenseID.new() }
        let new = zip(ids, selected).filter { $1.row == nil }
        try await changes.query(
            """
            INSERT INTO expense (household_id, id, receipt_id, person_id, revision)
            SELECT \(changes.household), t.id, t.receipt_id, \(changes.person), 0
            FROM unnest(\(new.map(\.0))::uuid[], \(new.compactMap(\.1.receipt))::uuid[]) AS t (id, receipt_id)
            """)
        return ids
    }
}
