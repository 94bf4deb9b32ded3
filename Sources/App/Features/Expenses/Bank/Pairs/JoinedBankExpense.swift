import Domain
import HTTP
import Postgres

/// A deleted expense of a bank file that was joined with another entry, which the member may see.
struct JoinedBankExpense: RowDecodable, Sendable {
    private let decision: BankPairID
    private let expense: ExpenseID
    private let receipt: ReceiptID?
    private let other: ExpenseID?

    /// Selects no row for an expense that was not joined.
    static func query(_ expense: ExpenseID, _ member: Member) -> SQL {
        """
        SELECT p.id, p.expense_id, p.receipt_id, p.other_id FROM bank_pair p
        WHERE p.household_id = \(member.household) AND p.expense_id = \(expense) AND p.is_same
            AND \(isOtherSeen(by: member))
        """
    }

    /// A condition on the row `p` of `bank_pair`: the member may see the receipt or the other expense.
    static func isOtherSeen(by member: Member) -> SQL {
        """
        (EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = p.household_id AND r.id = p.receipt_id
                AND \(Visibility.condition(member)))
            OR EXISTS (SELECT 1 FROM expense e WHERE e.household_id = p.household_id AND e.id = p.other_id
                AND \(ExpenseVisibility.condition(member))))
        """
    }

    init(from row: inout RowReader) throws(PostgresError) {
        decision = try row.next()
        expense = try row.next()
        receipt = try row.next()
        other = try row.next()
    }

    /// Redirects to the other entry, with a button that undoes the decision.
    var response: Response {
        let path = receipt.map { "/receipts/\($0)" } ?? other.map { "/expenses/\($0)" } ?? BankPairRow.listPath
        let undo = BankPairController.undoPath(decision, back: "/expenses/\(expense)")
        return .redirect(to: path).flashing(Flash("bank-pair-joined", undo: undo))
    }
}
