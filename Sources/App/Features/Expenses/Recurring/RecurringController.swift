import Domain
import HTTP
import Postgres
import Templates

/// Recurring expenses, proposed from past payments or typed, with their expected, missing and changed payments. An
/// expected payment becomes an expense only when a person saves it.
struct RecurringController: Sendable {
    private let database: Database
    private let edits: RecurringEdits
    private let proposals: RecurringProposals
    private let listPage: View<RecurringListPage>
    private let page: View<RecurringPage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        self.database = database
        edits = RecurringEdits(database: database)
        proposals = RecurringProposals(database: database, slowWork: slowWork)
        listPage = try views.page("expenses/recurring", RecurringListPage.self)
        page = try views.page("expenses/recurring-edit", RecurringPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/recurring", "RecurringController.list", list)
        try routes.member(.get, "/recurring/new", "RecurringController.new", role: .member, new)
        try routes.member(.post, "/recurring", "RecurringController.create", create)
        try routes.member(.post, "/recurring/proposals", "RecurringController.decide", decide)
        let redirects = EndedDocument<IdentifierTag.RecurringExpense>(
            "recurring", list: "/recurring", Flash("already"), database)
        try routes.member(.get, "/recurring/{recurring}", "RecurringController.show", redirects.wrap(show))
        try routes.member(.post, "/recurring/{recurring}", "RecurringController.update", redirects.wrap(update))
        try routes.member(
            .post, "/recurring/{recurring}/removal", "RecurringController.remove", redirects.wrap(remove))
        try routes.member(.post, "/recurring/{recurring}/restoration", "RecurringController.restore", restore)
        try routes.member(
            .post, "/recurring/{recurring}/amount", "RecurringController.adjust", redirects.wrap(adjust))
        try routes.member(.post, "/recurring/{recurring}/expense", "RecurringController.pay", redirects.wrap(pay))
    }

    private func list(_ request: MemberRequest) async throws -> Response {
        let today = WallClock.today()
        let rows = try await database.read(
            request.household,
            batch: [StoredRecurring.query(request.member)] + ExpenseChoices.queries(request.household))
        return listPage.response(
            RecurringListPage(
                stored: try rows[0].decode(StoredRecurring.self),
                proposals: try await proposals.find(request.member, today: today),
                choices: try ExpenseChoices(rows[1...]), isMember: request.member.role >= .member,
                days: listPage.days(request, today: today)), for: request)
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        page.response(try await model(request, RecurringForm(today: WallClock.today())), for: request)
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        try await save(request, nil) { values in
            try await edits.add(values, form: request.sentForm, by: request.member)
        }
    }

    /// Adds a proposal, or dismisses it permanently.
    private func decide(_ request: MemberRequest) async throws -> Response {
        let (key, amount) = (try request.form.required("key"), Int64(try request.form.required("amount")))
        let all = try await proposals.find(request.member, today: WallClock.today())
        guard let found = all.first(where: { $0.last.key == key && $0.last.amount == amount }) else {
            return .redirect(to: "/recurring").flashing(Flash("already"))
        }
        let isDismissed = request.form["action"] == "dismiss"
        let values = StoredRecurring.Values(
            name: found.last.text.cut(to: TextLimit.purpose), category: found.last.category,
            interval: found.recurrence.interval, starts: found.starts, amount: found.last.amount,
            tolerance: found.tolerance, isPersonal: found.isPersonal)
        do {
            let id = try await edits.decide(values, payeeKey: key, isDismissed: isDismissed, by: request.member)
            guard let id else { return .redirect(to: "/recurring").flashing(Flash("already")) }
            let undo = "/recurring/\(id)/removal"
            return .redirect(to: "/recurring").flashing(
                isDismissed
                    ? Flash("recurring-dismissed", undo: undo)
                    : Flash("saved", undo: undo, link: "/recurring/\(id)"))
        } catch is TooMany {
            return .redirect(to: "/recurring").flashing(Flash("recurring-full"))
        }
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let (stored, choices) = try await storedRecurring(request)
        let form = RecurringForm(stored, home: choices.home, request.language)
        return page.response(try await model(request, form, stored), for: request)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let (stored, _) = try await storedRecurring(request)
        let revision = try request.form.revision()
        return try await save(request, stored) { values in
            // The form shows the next expected day. If it is unchanged, the stored day of the month stays, because the
            // next month can be too short for it. After a change of the interval, the next payment would be on another
            // day than the form shows.
            let isKept = values.starts == stored.next && values.interval == stored.values.interval
            try await edits.update(
                stored.id, isKept ? values.starting(on: stored.values.starts) : values, revision: revision,
                by: request.member)
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: RecurringExpenseID = try request.identifier("recurring")
        let changed = Response.redirect(to: "/recurring").flashing(Flash("recurring-changed"))
        return try await .removed("/recurring/\(id)", list: "/recurring", changed: changed) {
            try await edits.remove(id, revision: request.form.optionalRevision(), by: request.member)
        }
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        let id: RecurringExpenseID = try request.identifier("recurring")
        return try await .restored("/recurring") { try await edits.restore(id, by: request.member) }
    }

    /// Sets the expected amount to the amount of the latest payment.
    private func adjust(_ request: MemberRequest) async throws -> Response {
        let (stored, _) = try await storedRecurring(request)
        guard let last = stored.last, stored.isChanged else {
            return .redirect(to: "/recurring").flashing(Flash("already"))
        }
        let values = StoredRecurring.Values(
            name: stored.values.name, category: stored.values.category, interval: stored.values.interval,
            starts: stored.values.starts, amount: last.amount, tolerance: stored.values.tolerance,
            isPersonal: stored.values.isPersonal)
        do {
            try await edits.update(stored.id, values, revision: stored.revision, by: request.member)
        } catch is Conflict {
            return .redirect(to: "/recurring").flashing(Flash("recurring-not-adjusted"))
        }
        return .redirect(to: "/recurring").flashing(Flash("saved"))
    }

    /// Saves the due payment as an expense.
    private func pay(_ request: MemberRequest) async throws -> Response {
        let due = try request.form.required("due")
        guard let id = try await edits.pay(request.identifier("recurring"), due: due, by: request.member) else {
            return .redirect(to: "/recurring").flashing(Flash("already"))
        }
        return .redirect(to: "/recurring").flashing(Flash("expense-added", undo: "/expenses/\(id)/removal"))
    }

    // MARK: Parts

    private func save(
        _ request: MemberRequest, _ stored: StoredRecurring?, _ write: (StoredRecurring.Values) async throws -> Void
    ) async throws -> Response {
        let words = page.words(request)
        let form = try RecurringForm(request.form)
        let model = try await model(request, form, stored)
        let limit = Problem(
            title: words["server.recurring.too-many"], text: words["server.recurring.too-many-text"])
        return try await page.save(
            model, form.values(home: model.choices.home, words), for: request, list: "/recurring", limit: limit, write)
    }

    private func storedRecurring(_ request: MemberRequest) async throws -> (StoredRecurring, ExpenseChoices) {
        let id: RecurringExpenseID = try request.identifier("recurring")
        let rows = try await database.read(
            request.household,
            batch: [StoredRecurring.query(request.member)] + ExpenseChoices.queries(request.household))
        guard let stored = try rows[0].decode(StoredRecurring.self).first(where: { $0.id == id }) else {
            throw Refusal.notFound
        }
        return (stored, try ExpenseChoices(rows[1...]))
    }

    private func model(
        _ request: MemberRequest, _ form: RecurringForm, _ stored: StoredRecurring? = nil
    ) async throws -> RecurringPage {
        RecurringPage(
            form: form, stored: stored,
            choices: try await ExpenseChoices.load(request.household, database),
            words: page.words(request), language: request.language)
    }
}
