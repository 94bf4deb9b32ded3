import Domain
import Postgres

/// A split by line: each line of a receipt was either taken by one person, or is shared by the people in `sharedBy`.
struct LineSplit: Sendable, Equatable {
    /// The person who took a line. Lines that several people share are missing.
    var taken: [ReceiptLineID: PersonID] = [:]
    var sharedBy: [PersonID] = []

    var isEmpty: Bool { taken.isEmpty && sharedBy.isEmpty }

    /// The weights of the people; empty if some lines have neither a person nor people who share them.
    func weights(_ lines: [SplitLine]) -> [PersonID: Int64] {
        let positions = Dictionary(lines.enumerated().map { ($1.id, $0) }) { first, _ in first }
        return LineShares.weights(
            lines.map { line in
                LineShares.Line(
                    name: line.name, kind: line.kind, amount: line.amount, person: taken[line.id],
                    reduced: line.reduced.flatMap { positions[$0] })
            }, sharedBy: sharedBy)
    }

    /// Returns statements that replace the stored split by line of an expense. Lines of other receipts are ignored.
    func replacing(on id: ExpenseID, _ household: HouseholdID) -> [SQL] {
        let lines = taken.keys.sorted()
        return [
            "UPDATE expense SET shared_by = \(sharedBy) WHERE household_id = \(household) AND id = \(id)",
            "DELETE FROM expense_line WHERE household_id = \(household) AND expense_id = \(id)",
            """
            INSERT INTO expense_line (household_id, expense_id, line_id, person_id)
            SELECT \(household), \(id), l.id, t.person_id
            FROM unnest(\(lines)::uuid[], \(lines.compactMap { taken[$0] })::uuid[]) AS t (line_id, person_id)
            JOIN expense e ON e.household_id = \(household) AND e.id = \(id)
            JOIN receipt_line l ON l.household_id = \(household) AND l.id = t.line_id AND l.receipt_id = e.receipt_id
            """,
        ]
    }

    /// Recomputes the shares of those receipts that are split by line, from their current lines. Keeps the shares if
    /// the split gives no weights. Deletes rows for lines that now belong to another receipt. The caller recomputes the
    /// balances.
    static func recompute(_ receipts: [ReceiptID], _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let expenses = try await changes.query(
            """
            SELECT e.id, e.receipt_id, e.shared_by FROM unnest(\(receipts)::uuid[]) AS n (id)
            CROSS JOIN LATERAL (SELECT * FROM expense e WHERE e.household_id = \(household) AND e.receipt_id = n.id
                AND e.split = \(SplitMethod.lines.rawValue) OFFSET 0) e
            """
        ).decode((ExpenseID, ReceiptID, [PersonID]).self)
        for (id, receipt, sharedBy) in expenses {
            let rows = try await changes.query(batch: [
                """
                DELETE FROM expense_line x USING receipt_line l
                WHERE x.household_id = \(household) AND x.expense_id = \(id) AND l.household_id = \(household)
                    AND l.id = x.line_id AND l.receipt_id <> \(receipt)
                RETURNING x.line_id
                """,
                SplitLine.query(receipt, household), query(id, household),
                "SELECT person_id, weight FROM expense_share WHERE household_id = \(household) AND expense_id = \(id)",
            ])
            let split = LineSplit(taken: try taken(rows[2]), sharedBy: sharedBy)
            let weights = split.weights(try SplitLine.decode(rows[1]))
            let stored = try rows[3].decode((PersonID, Int64).self)
            let isOutdated =
                !split.isEmpty && !weights.isEmpty
                && weights != Dictionary(stored.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
            guard isOutdated || !rows[0].isEmpty else { continue }
            try await changes.query(
                batch: (isOutdated ? SplitEdits.shares(weights, of: id, household) : []) + [
                    """
                    UPDATE expense SET revision = revision + 1, updated_at = now()
                    WHERE household_id = \(household) AND id = \(id)
                    """
                ])
            changes.changed(.expense, id)
        }
    }

    /// Removes the split by line of a receipt, but keeps the shares. Needed before other lines replace the lines of the
    /// receipt, for example when it is read again. No person has taken the new lines, so all of them would be shared.
    static func removeLines(of receipt: ReceiptID, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let expenses = try await changes.query(
            """
            UPDATE expense e SET shared_by = '{}', revision = e.revision + 1, updated_at = now()
            WHERE e.household_id = \(household) AND e.receipt_id = \(receipt) AND EXISTS (
                SELECT 1 FROM expense_line x WHERE x.household_id = \(household) AND x.expense_id = e.id)
            RETURNING e.id
            """
        ).decode(ExpenseID.self)
        guard !expenses.isEmpty else { return }
        try await changes.query(
            "DELETE FROM expense_line WHERE household_id = \(household) AND expense_id = ANY(\(expenses))")
        changes.changed(.expense, expenses)
    }

    /// Selects the lines that people took alone, and the people.
    static func query(_ id: ExpenseID, _ household: HouseholdID) -> SQL {
        """
        SELECT x.line_id, x.person_id FROM expense_line x
        WHERE x.household_id = \(household) AND x.expense_id = \(id)
        """
    }

    static func taken(_ rows: Rows) throws -> [ReceiptLineID: PersonID] {
        let pairs = try rows.decode((ReceiptLineID, PersonID).self)
        return Dictionary(pairs.map { ($0.0, $0.1) }) { first, _ in first }
    }
}

extension SplitLine {
    static func query(_ receipt: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        SELECT l.id, coalesce(d.name, l.printed_name), l.kind, l.total_minor, l.bound_line_id FROM receipt_line l
        LEFT JOIN product d ON d.household_id = l.household_id AND d.id = l.product_id
        WHERE l.household_id = \(household) AND l.receipt_id = \(receipt) ORDER BY l.position, l.id
        """
    }

    static func decode(_ rows: Rows) throws -> [SplitLine] {
        try rows.decode((ReceiptLineID, String, LineKind, Int64, ReceiptLineID?).self).map {
            id, name, kind, amount, reduced in
            SplitLine(id: id, name: name, kind: kind, amount: amount, reduced: reduced)
        }
    }
}
