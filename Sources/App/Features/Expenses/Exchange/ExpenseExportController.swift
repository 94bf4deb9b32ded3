import Domain
import HTTP
import Postgres
import Templates

/// Downloads of all expenses and receipts that the member may see, as a stream.
struct ExpenseExportController: Sendable {
    private let database: Database
    private let texts: Texts

    /// The maximum number of entries that are read at once.
    static let pageSize: Int32 = 500

    /// The day and the identifier of the last entry of a page.
    typealias Place = (day: LocalDate, id: ExpenseID)

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
        let database = database
        if format == .actual, request.head.query("without-rate") == nil,
            try await !ExchangeRates(database: database).load(member).missing.isEmpty
        {
            // The page says which entries the file leaves out, and offers to export the others.
            return .redirect(to: "/expenses/rates?export=\(format.rawValue)")
        }
        let rows = try await database.read(
            member.household, batch: [Self.payers(member)] + ExpenseChoices.queries(member.household))
        let payers = try rows[0].decode((PersonID, String).self)
        let writer = ExpenseExportWriter(
            format, try ExpenseChoices(rows[1...]),
            payers: Dictionary(payers.map { ($0.0, $0.1) }) { first, _ in first }, request.language,
            texts[request.language])
        var response = Response(
            body: .stream(length: nil) { stream in
                // The body is sent after the handler has returned. The member's time zone is not set then, so set it
                // again.
                try await WallClock.$zone.withValue(member.zone) {
                    try await Self.write(writer, member, database, to: stream)
                }
            })
        response.headers[.contentType] = format.mediaType
        response.headers["Content-Disposition"] = "attachment; filename=\"\(format.fileName)\""
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// Selects the names of all payers, including former members.
    private static func payers(_ member: Member) -> SQL {
        """
        SELECT p.id, \(PersonName.distinct(member.household)) FROM person p WHERE p.id IN (
            SELECT e.paid_by FROM expense e
            WHERE e.household_id = \(member.household) AND \(ExpenseVisibility.condition(member))
            UNION SELECT r.person_id FROM receipt r
            WHERE r.household_id = \(member.household) AND \(Visibility.condition(member)))
        """
    }

    /// Reads each page separately, so that a slow client keeps no transaction open. An entry whose day changes during
    /// the download may be missing or occur twice.
    private static func write(
        _ writer: ExpenseExportWriter, _ member: Member, _ database: Database, to stream: any ResponseWriter
    ) async throws {
        var writer = writer
        try await stream.send(writer.start())
        var last: Place?
        repeat {
            let entries = try await database.read(member.household, page(after: last, member)).decode(Entry.self)
            let parts = writer.format.hasParts ? try await CategoryPart.of(entries, member.household, database) : [:]
            let accounts = writer.format.hasAccounts ? try await PaymentAccount.of(entries, member, database) : [:]
            try await stream.send(writer.part(entries, parts, accounts))
            last = entries.count == Int(pageSize) ? entries.last.map { (day: $0.day, id: $0.id) } : nil
        } while last != nil
        try await stream.send(writer.end())
    }

    /// Selects the next entries, oldest first.
    static func page(after place: Place?, _ member: Member) -> SQL {
        func isAfter(_ row: SQL) -> SQL { place.map { "\(row) > (\($0.day), \($0.id))" } ?? "true" }
        let source = Entries.source(
            member, expenses: isAfter("(e.day, e.id)"), receipts: isAfter("(r.purchase_day, r.id)"), limit: pageSize,
            isOldestFirst: true)
        return "SELECT \(Entry.columns) FROM \(source) n ORDER BY n.day, n.id LIMIT \(pageSize)"
    }
}
