import Domain
import HTTP
import Postgres
import Templates

/// Downloads of all expenses and receipts that the member may see.
struct ExpenseExportController: Sendable {
    private let database: Database
    private let texts: Texts

    /// The largest number of expenses, and of receipts, in a download.
    private static let mostRows: Int32 = 200_000

    init(_ database: Database, _ views: Views) {
        self.database = database
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/expenses/export", "ExpenseExportController.export", export)
    }

    private func export(_ request: MemberRequest) async throws -> Response {
        let format = request.head.query("format").flatMap(ExpenseExport.init(rawValue:)) ?? .csv
        let member = request.member
        let rows = try await database.read(
            member.household,
            batch: [
                """
                SELECT \(Entry.columns) FROM \(Entries.source(
                    member, expenses: "true", receipts: "true", limit: Self.mostRows)) n ORDER BY n.day, n.id
                """
            ] + ExpenseChoices.queries(member.household))
        let entries = try rows[0].decode(Entry.self)
        let choices = try ExpenseChoices(rows[1...])
        let words = texts[request.language]
        let bytes = format.text(
            entries,
            category: { entry in
                entry.category.map { choices.categories.name($0, request.language, words) } ?? ""
            }, payer: { choices.name($0.paidBy) ?? "" }, home: choices.home)
        var response = Response(body: .bytes(bytes))
        response.headers[.contentType] = format.mediaType
        response.headers["Content-Disposition"] = "attachment; filename=\"\(format.fileName)\""
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
