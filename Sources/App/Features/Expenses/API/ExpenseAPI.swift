import Domain
import HTTP
import JSON
import Postgres

/// Expenses in the API: expenses without a receipt, listed together with confirmed receipts.
struct ExpenseAPI: CreatedResource, PatchedResource {
    static let name = "expenses"
    static let parameters = "{expense}"
    /// Exchange rates, and changes of a receipt, change the amounts without a new revision.
    static let mayAnswerNotModified = false

    private let database: Database
    private let edits: ExpenseEdits
    private let bulkEdits: ExpenseBulkEdits
    private let splitting: SplitEdits
    private let receipts: ReceiptExpenseEdits
    private let cursors: Cursors

    init(_ database: Database) {
        self.database = database
        edits = ExpenseEdits(database: database)
        bulkEdits = ExpenseBulkEdits(database: database)
        splitting = SplitEdits(database: database)
        receipts = ReceiptExpenseEdits(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        let one = Self.one
        try routes.client(.get, Self.all, "ExpenseAPI.list", scope: .read, list)
        try registerCreation(&routes)
        try registerOne(&routes)
        try registerChange(&routes)
        try routes.client(.post, "\(one)/restoration", "ExpenseAPI.restore", scope: .write, restore)
        try routes.client(.put, "\(one)/split", "ExpenseAPI.split", scope: .write, split)
        try routes.client(.delete, "\(one)/split", "ExpenseAPI.unsplit", scope: .write, unsplit)
    }

    // MARK: Reading

    private func list(_ request: ClientRequest) async throws -> Response {
        let filter = try ExpenseFilter(request)
        let limit = try request.number("limit", 1...200, default: 50)
        let list = "expenses" + request.filterText
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
        return request.answer(list: Self.listMember, next: next) { json in
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

    func key(_ request: ClientRequest) throws -> ExpenseID { try request.identifier("expense") }

    func revision(_ stored: SplitExpense) -> Int64 { stored.entry.revision }

    func find(_ id: ExpenseID, _ request: ClientRequest) async throws -> SplitExpense {
        try await SplitExpense.find(id, request.member, database)
    }

    func document(_ stored: SplitExpense, _ request: ClientRequest) -> JSONWriter {
        JSONWriter(object: { ExpenseJSON.write(stored, &$0) })
    }

    // MARK: Changes

    func add(_ request: ClientRequest) async throws -> ExpenseID {
        let choices = try await ExpenseChoices.load(request.household, database)
        let patch = try ExpensePatch(try request.object(), over: nil, choices, request.member)
        let suggestions = try await ExpenseSuggestions.load(request.member, database)
        let new = suggestions.complete(
            patch.values, amount: try await HomeAmount.amount(of: patch.values, request.household, database),
            suggestsCategory: !patch.hasCategory)
        return try await edits.add(new.values, decision: new.decision, people: new.people, by: request.member)
    }

    /// Changes an expense without a receipt, or those values of a receipt that are not printed on it.
    func change(_ stored: SplitExpense, _ request: ClientRequest) async throws {
        let id = stored.entry.id
        if stored.entry.isReceipt { return try await changeReceipt(stored, request) }
        let expense = try await database.read(request.household, StoredExpense.query([id], request.member))
            .decode(StoredExpense.self).first
        guard let expense, !expense.isDiscarded else { throw Refusal.notFound }
        let patch = try ExpensePatch(try request.object(), over: expense.values, stored.choices, request.member)
        guard patch.values.isPersonal == expense.values.isPersonal || expense.person == request.member.person else {
            throw APIProblem.invalid("is_personal", "can be changed only by the person who entered the expense")
        }
        try await edits.update(id, patch.values, revision: stored.entry.revision, by: request.member)
    }

    private func changeReceipt(_ stored: SplitExpense, _ request: ClientRequest) async throws {
        let receipt: ReceiptID = stored.entry.id.relabelled()
        let receiptExpense = try await database.read(
            request.household, StoredReceiptExpense.query(receipt, request.member)
        )
        .decode(StoredReceiptExpense.self).first
        guard let receiptExpense else { throw Refusal.notFound }
        let choices = stored.choices
        var fields = JSONFields(try request.object())
        let given = ["stated_minor", "category_id", "paid_by", "labels"].filter { fields.has($0) }
        if given.isEmpty {
            fields.refuse("stated_minor", "is required, unless category_id, paid_by or labels is given")
        }
        let setsStated = given.contains("stated_minor")
        let stated = setsStated ? fields.minorUnits("stated_minor") : nil
        if setsStated, stored.entry.amount.currency == choices.home {
            fields.refuse("stated_minor", "is only allowed for amounts in a currency other than \(choices.home.code)")
        }
        let category =
            fields.has("category_id") ? fields.category("category_id", of: choices.categories) : receiptExpense.category
        let paidBy =
            fields.has("paid_by") ? ExpensePatch.payer(&fields, receiptExpense.paidBy, choices) : receiptExpense.paidBy
        let labels = fields.given("labels") { $0.labels("labels") } ?? receiptExpense.labels
        try fields.finish()
        try await receipts.update(
            category: category, paidBy: paidBy, labels: labels, keepsStated: !setsStated, stated: stated,
            of: receipt, revision: stored.entry.revision, by: request.member)
    }

    func delete(_ stored: SplitExpense, _ request: ClientRequest) async throws {
        guard !stored.entry.isReceipt else { throw Refusal.notFound }
        try await bulkEdits.discard([stored.entry.id], revision: stored.entry.revision, by: request.member)
    }

    private func restore(_ request: ClientRequest) async throws -> Response {
        let id: ExpenseID = try request.identifier("expense")
        try request.requireEmptyObject()
        try await bulkEdits.restore([id], by: request.member)
        return try await answer(id, request)
    }

    /// Loads the expense whose split is changed.
    ///
    /// - Throws: `APIProblem` 409 for an expense that cannot be split; the errors of `loadForChange`.
    private func splittable(_ request: ClientRequest) async throws -> SplitExpense {
        let split = try await loadForChange(request)
        guard split.entry.isReceipt || !split.entry.isPersonal && split.entry.kind != .withdrawal else {
            throw APIProblem(.conflict, .conflict, "A personal expense or a withdrawal cannot be split.")
        }
        return split
    }

    private func split(_ request: ClientRequest) async throws -> Response {
        let split = try await splittable(request)
        let division = try SplitPatch(try request.object(), split)
        try await splitting.split(
            split.entry, division.method, division.weights, byLine: division.byLine, paidBy: division.paidBy,
            isDefault: division.isDefault, revision: split.entry.revision, by: request.member)
        return try await answer(split.entry.id, request)
    }

    private func unsplit(_ request: ClientRequest) async throws -> Response {
        let split = try await splittable(request)
        try await splitting.split(
            split.entry, nil, [:], paidBy: nil, revision: split.entry.revision, by: request.member)
        return try await answer(split.entry.id, request)
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
        let from = try request.query("from", Self.day)
        let to = try request.query("to", Self.day)
        guard (from == nil) == (to == nil), from ?? .firstPurchaseDay <= to ?? from ?? .firstPurchaseDay else {
            throw APIProblem(.badRequest, .badRequest, "Send both from and to, or neither; from must not be after to.")
        }
        self.init(request.head)
    }

    /// Parses a date such as `2026-11-25`; nil for the other forms that pages accept.
    private static func day(_ text: String) -> LocalDate? {
        LocalDate(parsing: text).flatMap { $0.iso == text ? $0 : nil }
    }
}
