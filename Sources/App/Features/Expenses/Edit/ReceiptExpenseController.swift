import Domain
import HTTP
import Postgres
import Templates

/// The page with the category, the payer and the labels of a confirmed receipt.
struct ReceiptExpenseController: Sendable {
    private let database: Database
    private let edits: ReceiptExpenseEdits
    private let page: View<ReceiptExpensePage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = ReceiptExpenseEdits(database: database)
        page = try views.page("expenses/receipt", ReceiptExpensePage.self)
    }

    func register(_ routes: inout Routes) throws {
        let redirects = EndedReceipts(database: database).redirects
        try routes.member(
            .get, "/receipts/{receipt}/expense", "ReceiptExpenseController.show", role: .member, redirects.wrap(show))
        try routes.member(
            .post, "/receipts/{receipt}/expense", "ReceiptExpenseController.update", redirects.wrap(update))
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        guard let model = try await model(id, request) else { return .redirect(to: "/receipts/\(id)") }
        return page.response(model, for: request)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        guard var model = try await model(id, request) else { return .redirect(to: "/receipts/\(id)") }
        let revision = try request.form.revisionOrZero()
        let typed = try TypedReceiptExpense(request.form)
        let words = page.words(request)
        model.typed = typed
        let labels = TypedExpense.labels(typed.labels)
        guard TypedExpense.allowsLabels(labels) else {
            model.errors["labels"] = words["server.expense.labels"]
            model.problem = Problem.invalidFields(words)
            model.shownRevision = revision
            return page.response(model, for: request, status: .unprocessableContent)
        }
        do {
            try await edits.update(
                category: CategoryID(typed.category), paidBy: PersonID(typed.paidBy), labels: labels, of: id,
                revision: revision, by: request.member)
        } catch is Conflict {
            model.problem = Problem.changed(words)
            return page.response(model, for: request, status: .conflict)
        }
        return .redirect(to: "/receipts/\(id)").flashing(Flash("saved"))
    }

    /// Returns nil for a receipt that is not confirmed.
    ///
    /// - Throws: `Refusal.notFound`.
    private func model(_ id: ReceiptID, _ request: MemberRequest) async throws -> ReceiptExpensePage? {
        let member = request.member
        let rows = try await database.read(
            member.household,
            batch: [
                StoredReceiptExpense.query(id, member),
                """
                SELECT 1 FROM receipt r WHERE r.household_id = \(member.household) AND r.id = \(id)
                    AND \(Visibility.condition(member))
                """,
            ] + ExpenseChoices.queries(member.household))
        guard !rows[1].isEmpty else { throw Refusal.notFound }
        return try rows[0].decode(StoredReceiptExpense.self).first.map { stored in
            ReceiptExpensePage(
                receipt: id, stored: stored, typed: TypedReceiptExpense(stored),
                choices: try ExpenseChoices(rows[2...]),
                words: page.words(request), language: request.language)
        }
    }
}
