import Domain
import HTTP
import JSON
import Postgres
import Templates

/// Expenses without a receipt: a quick form with two fields, and pages to change, delete and restore them.
struct ExpenseController: Sendable {
    private let database: Database
    private let edits: ExpenseEdits
    private let bulkEdits: ExpenseBulkEdits
    private let page: View<ExpensePage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = ExpenseEdits(database: database)
        bulkEdits = ExpenseBulkEdits(database: database)
        page = try views.page("expenses/edit", ExpensePage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/expenses/new", "ExpenseController.new", role: .member, new)
        try routes.member(.post, "/expenses", "ExpenseController.create", create)
        try routes.member(.get, "/expenses/suggestion", "ExpenseController.suggest", suggest)
        try routes.member(
            .post, "/expenses/changes", "ExpenseController.changeSeveral",
            body: .longForm(bytes: 131_072, fields: Self.maximumSelected + 10), changeSeveral)
        let redirects = EndedDocument<IdentifierTag.Expense>(
            "expense", list: "/expenses/list", Flash("expense-gone"), database)
        try routes.member(.get, "/expenses/{expense}", "ExpenseController.show", redirects.wrap(show))
        try routes.member(.post, "/expenses/{expense}", "ExpenseController.update", redirects.wrap(update))
        try routes.member(
            .post, "/expenses/{expense}/removal", "ExpenseController.remove", redirects.wrap(remove))
        try routes.member(
            .post, "/expenses/{expense}/restoration", "ExpenseController.restore", redirects.wrap(restore))
        try routes.member(
            .post, "/expenses/{expense}/changes/removal", "ExpenseController.undoChange", redirects.wrap(undoChange))
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        let choices = try await choices(request)
        var typed = TypedExpense(
            currency: choices.home, paidBy: request.member.person, today: WallClock.today())
        typed.what = request.head.queryText("what", limit: TextLimit.purpose)
        return page.response(model(typed, choices, request), for: request)
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        let choices = try await choices(request)
        let today = WallClock.today()
        let typed = try TypedExpense(
            request.form, currency: choices.home, paidBy: request.member.person, today: today)
        let (values, errors) = typed.values(home: choices.home, today: today, page.words(request))
        guard let values else { return try refusalPage(typed, choices, errors, request) }
        let suggestions = try await ExpenseSuggestions.load(request.member, database)
        let list = Self.list(of: values.day)
        let isSplitNext = typed.splitsNext && !values.isPersonal && values.kind != .withdrawal
        do {
            let new = suggestions.complete(
                values, amount: try await HomeAmount.amount(of: values, request.household, database),
                suggestsCategory: typed.category.isEmpty)
            let id = try await edits.add(
                new.values, decision: new.decision, people: new.people, form: request.sentForm, by: request.member)
            return .redirect(to: isSplitNext ? "/expenses/\(id)/split" : list)
                .flashing(Flash("expense-added", undo: "/expenses/\(id)/removal"))
        } catch is RepeatedForm {
            return .redirect(to: list).flashing(Flash("already"))
        } catch is AmountTooLarge {
            return try refusalPage(typed, choices, amountTooLarge(request), request)
        }
    }

    private func suggest(_ request: MemberRequest) async throws -> Response {
        let what = request.head.queryText("what", limit: TextLimit.purpose)
        let suggestions = try await ExpenseSuggestions.load(request.member, database)
        let rows = try await database.read(request.household, Categories.query(request.household))
        let categories = try Categories(rows)
        let words = page.words(request)
        var json = JSONWriter()
        json.object { json in
            guard !what.isEmpty, let found = suggestions.find(what: what), let category = found.category else { return }
            json.member("category", category.description)
            json.member("name", categories.name(category, request.language, words))
            json.member("reason", ExpenseSuggestions.text(found.reason, words))
            if let payee = found.payee { json.member("payee", payee) }
        }
        return .json(json.bytes)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let id: ExpenseID = try request.identifier("expense")
        let member = request.member
        let rows = try await database.read(
            member.household,
            batch: [
                StoredExpense.query([id], member), BankPair.query(.expense(id), member),
                JoinedBankExpense.query(id, member),
            ] + ExpenseChoices.queries(member.household))
        guard let stored = try rows[0].decode(StoredExpense.self).first else { throw Refusal.notFound }
        guard !stored.isDiscarded else {
            if let joined = try rows[2].decode(JoinedBankExpense.self).first { return joined.response }
            return .redirect(to: "/expenses/list").flashing(
                Flash("expense-removed", undo: "/expenses/\(id)/restoration"))
        }
        var model = model(
            TypedExpense(stored, request.language), try ExpenseChoices(rows[3...]), request, stored)
        let days = page.days(request)
        model.bankPairs = try BankPair.probable(rows[1]).map {
            BankPairRow(pair: $0, back: "/expenses/\(id)", isOnExpense: $0.expense == id, days: days)
        }
        return page.response(model, for: request)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let (stored, choices) = try await storedExpense(request)
        let today = WallClock.today()
        var typed = try TypedExpense(
            request.form, currency: stored.amount.currency, paidBy: request.member.person, today: today)
        if request.form["category"] == nil { typed.category = stored.category?.description ?? TypedExpense.none }
        let (values, errors) = typed.values(home: choices.home, today: today, page.words(request))
        guard let values else { return try refusalPage(typed, choices, errors, request, stored) }
        do {
            try await edits.update(
                stored.id, values, revision: request.form.revision(), by: request.member)
        } catch is Conflict {
            var model = model(typed, choices, request, stored)
            let words = page.words(request)
            model.problem = Problem.changed(words)
            return page.response(model, for: request, status: .conflict)
        } catch is AmountTooLarge {
            return try refusalPage(typed, choices, amountTooLarge(request), request, stored)
        }
        return .redirect(to: Self.list(of: values.day)).flashing(Flash("saved"))
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: ExpenseID = try request.identifier("expense")
        do {
            try await bulkEdits.discard([id], revision: request.form.optionalRevision(), by: request.member)
        } catch is Conflict {
            let (stored, choices) = try await storedExpense(request)
            var model = model(TypedExpense(stored, request.language), choices, request, stored)
            let words = page.words(request)
            model.problem = Problem.changed(words)
            return page.response(model, for: request, status: .conflict)
        }
        return .redirect(to: "/expenses/list").flashing(
            Flash("expense-removed", undo: "/expenses/\(id)/restoration"))
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: ExpenseID = try request.identifier("expense")
        if request.head.query("together") != nil {
            let count = try await bulkEdits.restoreTogether(id, by: request.member)
            return .redirect(to: "/expenses/list").flashing(
                count == 0 ? Flash("already") : Flash("expenses-restored", count: count))
        }
        try await bulkEdits.restore([id], by: request.member)
        return .redirect(to: "/expenses/list").flashing(Flash("expense-restored"))
    }

    /// All rows of a page of the list can be selected.
    private static let maximumSelected = Int(ExpenseListQueries.monthSize)

    /// Changes the selected rows of the list: sets a category or a payer, adds labels, or deletes the expenses.
    private func changeSeveral(_ request: MemberRequest) async throws -> Response {
        let form = request.form
        let selection = ExpenseBulkEdits.Selection(
            expenses: form.values("expense").compactMap { ExpenseID($0) },
            receipts: form.values("receipt").compactMap { ReceiptID($0) })
        let back = form["back"].flatMap(Redirect.ownPath) ?? "/expenses/list"
        guard (1...Self.maximumSelected).contains(selection.count) else {
            return .redirect(to: back).flashing(Flash("expenses-none"))
        }
        do {
            return .redirect(to: back).flashing(try await change(selection, request))
        } catch is AlreadyDeleted {
            return .redirect(to: back).flashing(Flash("expenses-gone"))
        }
    }

    private func change(_ selection: ExpenseBulkEdits.Selection, _ request: MemberRequest) async throws -> Flash {
        let form = request.form
        switch form["action"] {
        case "remove": return try await removeSelected(selection, request)
        case "label": return try await labelSelected(selection, request)
        case "payer":
            return try await setValue(form.trimmed("paid-by") ?? "") { payer in
                guard let payer = PersonID(payer) else { throw Refusal.badRequest }
                return try await bulkEdits.setPayer(selection, to: payer, by: request.member)
            }
        default:
            return try await setValue(form.trimmed("category") ?? "") { category in
                guard category == TypedExpense.none || CategoryID(category) != nil else { throw Refusal.badRequest }
                return try await bulkEdits.categorise(selection, as: CategoryID(category), by: request.member)
            }
        }
    }

    /// Deletes the selected expenses. Receipts are discarded on their own pages.
    private func removeSelected(_ selection: ExpenseBulkEdits.Selection, _ request: MemberRequest) async throws -> Flash
    {
        let removed = try await bulkEdits.discard(selection.expenses, by: request.member)
        let receipts = selection.receipts.count
        return Flash(
            receipts == 0 ? "expenses-removed" : "expenses-removed-only", count: removed.count,
            others: receipts == 0 ? [] : [receipts],
            undo: removed.first.map { "/expenses/\($0)/restoration?together=1" })
    }

    private func labelSelected(_ selection: ExpenseBulkEdits.Selection, _ request: MemberRequest) async throws -> Flash
    {
        let labels = TypedExpense.labels(request.form.trimmed("labels") ?? "")
        guard TypedExpense.allowsLabels(labels) else { return Flash("labels-refused") }
        let (change, full) = try await bulkEdits.label(selection, with: labels, by: request.member)
        let count = change?.count ?? 0
        return full == 0
            ? Flash("expenses-changed", count: count, undo: change?.undo)
            : Flash("labels-full", count: count, others: [full], undo: change?.undo)
    }

    /// - Parameter value: the chosen value; empty for none.
    private func setValue(
        _ value: String, _ apply: (String) async throws -> ExpenseBulkEdits.Change?
    ) async throws -> Flash {
        guard !value.isEmpty else { return Flash("expenses-none") }
        let change = try await apply(value)
        return Flash("expenses-changed", count: change?.count ?? 0, undo: change?.undo)
    }

    private func undoChange(_ request: MemberRequest) async throws -> Response {
        let id: ExpenseID = try request.identifier("expense")
        let revision = request.head.query("revision").flatMap { Int64($0) } ?? 0
        return try await .restored("/expenses/list") {
            try await bulkEdits.undoChange(of: id, revision: revision, by: request.member) > 0
        }
    }

    // MARK: Parts

    static func list(of day: LocalDate) -> String { "/expenses/list?month=\(ReceiptFilter.value(day.month))" }

    private func choices(_ request: MemberRequest) async throws -> ExpenseChoices {
        try await ExpenseChoices.load(request.household, database)
    }

    private func storedExpense(_ request: MemberRequest) async throws -> (StoredExpense, ExpenseChoices) {
        let id: ExpenseID = try request.identifier("expense")
        let rows = try await database.read(
            request.household,
            batch: [StoredExpense.query([id], request.member)] + ExpenseChoices.queries(request.household))
        guard let stored = try rows[0].decode(StoredExpense.self).first else { throw Refusal.notFound }
        return (stored, try ExpenseChoices(rows[1...]))
    }

    private func model(
        _ typed: TypedExpense, _ choices: ExpenseChoices, _ request: MemberRequest, _ stored: StoredExpense? = nil
    ) -> ExpensePage {
        ExpensePage(
            typed: typed, choices: choices, stored: stored,
            isAuthor: stored.map { $0.person == request.member.person } ?? true, words: page.words(request),
            language: request.language)
    }

    private func amountTooLarge(_ request: MemberRequest) -> FieldErrors {
        var errors = FieldErrors()
        errors["amount"] = page.words(request)["server.error.amountTooLarge"]
        return errors
    }

    private func refusalPage(
        _ typed: TypedExpense, _ choices: ExpenseChoices, _ errors: FieldErrors, _ request: MemberRequest,
        _ stored: StoredExpense? = nil
    ) throws -> Response {
        let refused = try page.refused(model(typed, choices, request, stored), errors, for: request)
        return page.response(refused, for: request, status: .unprocessableContent)
    }
}
