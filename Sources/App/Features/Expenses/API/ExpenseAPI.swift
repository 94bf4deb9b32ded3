import Domain
import HTTP
import JSON
import Postgres

/// Expenses in the API: expenses without a receipt, listed together with confirmed receipts.
struct ExpenseAPI: Sendable {
    private let database: Database
    private let edits: ExpenseEdits
    private let removal: ExpenseRemoval
    private let splitting: SplitEdits
    private let cursors: Cursors

    init(_ database: Database) {
        self.database = database
        edits = ExpenseEdits(database: database)
        removal = ExpenseRemoval(database: database)
        splitting = SplitEdits(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        let (all, one) = ("/api/v1/expenses", "/api/v1/expenses/{expense}")
        try routes.client(.get, all, "ExpenseAPI.list", scope: .read, list)
        try routes.client(.post, all, "ExpenseAPI.create", scope: .write, create)
        try routes.client(.get, one, "ExpenseAPI.show", scope: .read, show)
        try routes.client(.patch, one, "ExpenseAPI.update", scope: .write, update)
        try routes.client(.delete, one, "ExpenseAPI.remove", scope: .write, remove)
        try routes.client(.post, "\(one)/restoration", "ExpenseAPI.restore", scope: .write, restore)
        try routes.client(.put, "\(one)/split", "ExpenseAPI.split", scope: .write, split)
        try routes.client(.delete, "\(one)/split", "ExpenseAPI.unsplit", scope: .write, unsplit)
    }

    // MARK: Reading

    private func list(_ request: ClientRequest) async throws -> Response {
        let filter = try ExpenseFilter(request)
        let limit = try request.number("limit", 1...200, default: 50)
        let list = "expenses" + request.listName
        let place = try await cursors.place(request, of: list).map { try Place($0) }
        func after(_ row: SQL) -> SQL { place.map { "\(row) < (\($0.day), \($0.id))" } ?? "true" }
        let household = request.household
        let source = Entries.source(
            request.member, expenses: "\(filter.expenses(household, similar: nil)) AND \(after("(e.day, e.id)"))",
            receipts: filter.receipts(household, similar: nil).map { "\($0) AND \(after("(r.purchase_day, r.id)"))" },
            receiptAmount: filter.receiptAmount(household), limit: Int32(limit) + 1)
        let entries = try await database.read(
            household,
            "SELECT \(Entry.columns) FROM \(source) n ORDER BY n.day DESC, n.id DESC LIMIT \(Int32(limit) + 1)"
        ).decode(Entry.self)
        let shown = entries.prefix(limit)
        let last = entries.count > limit ? shown.last.map { Place(day: $0.day, id: $0.id).description } : nil
        var next: String?
        if let last { next = try await cursors.make(last, of: list, for: request.member) }
        return request.answer(list: "expenses", next: next) { json in
            for entry in shown { json.object { ExpenseJSON.write(entry, &$0) } }
        }
    }

    /// The position of an entry in the list, where the next page continues.
    private struct Place: CustomStringConvertible {
        let day: LocalDate
        let id: ExpenseID

        init(day: LocalDate, id: ExpenseID) { (self.day, self.id) = (day, id) }

        init(_ text: String) throws {
            let parts = text.split(separator: " ")
            guard parts.count == 2, let day = LocalDate(parsing: parts[0]), let id = ExpenseID(parts[1]) else {
                throw APIProblem(.badRequest, .invalidCursor)
            }
            self.init(day: day, id: id)
        }

        var description: String { "\(day.iso) \(id)" }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        try await answer(request.identifier("expense"), request)
    }

    private func answer(_ id: ExpenseID, _ request: ClientRequest, status: Status = .ok) async throws -> Response {
        let split = try await SplitExpense.find(id, request.member, database)
        var json = JSONWriter()
        json.object { ExpenseJSON.write(split, &$0) }
        var response = request.answer(json, revision: split.entry.revision, status: status)
        if status == .created { response.headers[.location] = "/api/v1/expenses/\(id)" }
        return response
    }

    // MARK: Changes

    private func create(_ request: ClientRequest) async throws -> Response {
        let choices = try ExpenseChoices(
            await database.read(request.household, batch: ExpenseChoices.queries(request.household))[...])
        let patch = try ExpensePatch(try request.object(), over: nil, choices, request.member)
        let suggestions = try await ExpenseSuggestions.load(request.member, database)
        let new = suggestions.complete(patch.values, suggestsCategory: !patch.namesCategory)
        let id = try await edits.add(new.values, decision: new.decision, people: new.people, by: request.member)
        return try await answer(id, request, status: .created)
    }

    private func update(_ request: ClientRequest) async throws -> Response {
        let (stored, choices) = try await matched(request)
        let patch = try ExpensePatch(try request.object(), over: stored.values, choices, request.member)
        try await edits.update(stored.id, patch.values, revision: stored.revision, by: request.member)
        return try await answer(stored.id, request)
    }

    private func remove(_ request: ClientRequest) async throws -> Response {
        let (stored, _) = try await matched(request)
        try await removal.discard([stored.id], revision: stored.revision, by: request.member)
        return Response(.noContent)
    }

    private func restore(_ request: ClientRequest) async throws -> Response {
        let id: ExpenseID = try request.identifier("expense")
        try request.requireEmptyObject()
        try await removal.restore([id], by: request.member)
        return try await answer(id, request)
    }

    private func split(_ request: ClientRequest) async throws -> Response {
        let split = try await SplitExpense.find(request.identifier("expense"), request.member, database)
        try request.requireMatch(split.entry.revision)
        let division = try SplitPatch(try request.object(), split)
        try await splitting.split(
            split.entry, division.method, division.weights, paidBy: division.paidBy, revision: split.entry.revision,
            by: request.member)
        return try await answer(split.entry.id, request)
    }

    private func unsplit(_ request: ClientRequest) async throws -> Response {
        let split = try await SplitExpense.find(request.identifier("expense"), request.member, database)
        try request.requireMatch(split.entry.revision)
        try await splitting.split(
            split.entry, nil, [:], paidBy: nil, revision: split.entry.revision, by: request.member)
        return try await answer(split.entry.id, request)
    }

    // MARK: Parts

    /// Loads the expense without a receipt at the revision that the client sent. A deleted one is reported as ended.
    private func matched(_ request: ClientRequest) async throws -> (StoredExpense, ExpenseChoices) {
        let id: ExpenseID = try request.identifier("expense")
        let rows = try await database.read(
            request.household,
            batch: [StoredExpense.query([id], request.member)] + ExpenseChoices.queries(request.household))
        guard let stored = try rows[0].decode(StoredExpense.self).first, !stored.isDiscarded else {
            throw Refusal.notFound
        }
        try request.requireMatch(stored.revision)
        return (stored, try ExpenseChoices(rows[1...]))
    }
}

extension ExpenseFilter {
    /// The filter of a list in the API. Invalid values are refused.
    ///
    /// - Throws: `APIProblem`.
    fileprivate init(_ request: ClientRequest) throws {
        _ = try request.query("category") { SpentCategory(value: $0) }
        _ = try request.query("member") { PersonID($0) }
        _ = try request.query("kind") { ExpenseKind(rawValue: $0) }
        _ = try request.query("month") { Month(parsing: $0) }
        let from = try request.query("from") { LocalDate(parsing: $0) }
        let to = try request.query("to") { LocalDate(parsing: $0) }
        guard (from == nil) == (to == nil), from ?? .firstPurchaseDay <= to ?? from ?? .firstPurchaseDay else {
            throw APIProblem(.badRequest, .badRequest, "from and to are required together, from before to.")
        }
        self.init(request.head)
    }
}
