import Domain
import HTTP
import Postgres
import Templates

/// The import of a wine table in three steps (upload, preview with columns, confirmation), and the export.
struct WineImportController: Sendable {
    private let database: Database
    private let tables: WineTables
    private let uploadPage: View<WineImportPage>
    private let previewPage: View<WinePreviewPage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        self.database = database
        tables = WineTables(database: database, slowWork: slowWork)
        uploadPage = try views.page("wines/import", WineImportPage.self)
        previewPage = try views.page("wines/preview", WinePreviewPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/wine-import", "WineImportController.new", role: .member, new)
        try routes.member(.post, "/wine-import", "WineImportController.upload", body: .stream, upload)
        try routes.member(.get, "/wine-import/{table}", "WineImportController.preview", role: .member, preview)
        try routes.member(.post, "/wine-import/{table}/confirmation", "WineImportController.confirm", confirm)
        try routes.member(.post, "/wine-import/{table}/discard", "WineImportController.discard", discard)
        try routes.member(.get, "/wines/export.csv", "WineImportController.export") { request in
            WineExport.response(request.member, database)
        }
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        uploadPage.response(WineImportPage(problem: nil), for: request)
    }

    private func upload(_ request: MemberRequest) async throws -> Response {
        do {
            return try await storeUpload(request)
        } catch let failure as WineTables.Failure {
            return refusalPage(request, failure)
        } catch let error as FormError where error.status == .contentTooLarge {
            return refusalPage(request, .tooLarge)
        }
    }

    private func storeUpload(_ request: MemberRequest) async throws -> Response {
        request.body.setPace(.upload)
        let reader = try await request.multipartForm(limit: WineTables.maximumBytes + 65_536)
        guard let part = try await reader.nextPart(), part.name == "file" else { throw Refusal.badRequest }
        let id = try await tables.receive(reader, name: part.fileName ?? "", request.member)
        return .redirect(to: "/wine-import/\(id)")
    }

    private func preview(_ request: MemberRequest) async throws -> Response {
        let id: WineTableID = try request.identifier("table")
        guard let table = try await tables.find(id, request.household) else { return Self.alreadyDone }
        let page =
            request.head.query("page").flatMap { Int($0) }.map { min(max(1, $0), ExcerptReading.maximumPages) } ?? 1
        let excerpt: WineTables.Excerpt
        do {
            excerpt = try await tables.excerpt(id, request.household, page: page)
        } catch let failure as WineTables.Failure {
            return refusalPage(request, failure)
        }
        let mapping = try await mapping(excerpt.headings, request) { request.head.query($0) }
        return previewPage.response(
            WinePreviewPage(
                table: table, excerpt: excerpt, page: page, mapping: mapping, words: previewPage.words(request),
                language: request.language), for: request)
    }

    private func confirm(_ request: MemberRequest) async throws -> Response {
        let id: WineTableID = try request.identifier("table")
        guard try await tables.find(id, request.household) != nil else { return Self.alreadyDone }
        let headings = try await tables.excerpt(id, request.household).headings
        let mapping = try await mapping(headings, request) { request.form[$0] }
        guard try await tables.reserve(id, request.household) else {
            return try await responseToReservedTable(id, request.household)
        }
        let result: WineImport.Result
        do {
            result = try await WineImport(tables: tables, mapping: mapping).run(id, by: request.member)
        } catch {
            try? await tables.release(id, request.household)
            switch error {
            case is WineQuotaError: return .redirect(to: "/wine-import/\(id)").flashing(Flash("wines-over-quota"))
            case is WineTables.Failure: return .redirect(to: "/wine-import/\(id)").flashing(Flash("wine-table"))
            default: throw error
            }
        }
        guard try await tables.discard(id, request.household, isImported: true) else { return Self.alreadyDone }
        // Best effort: until autovacuum runs, outdated planner statistics make lists slow.
        if result.wines > 500 { _ = try? await database.query("SELECT refresh_statistics()") }
        let isComplete = result.repeated == 0 && result.skipped == 0
        return .redirect(to: "/wines").flashing(
            isComplete
                ? Flash("wines-imported", count: result.wines)
                : Flash("wines-imported-partly", count: result.wines, others: [result.repeated, result.skipped]))
    }

    private func discard(_ request: MemberRequest) async throws -> Response {
        let id: WineTableID = try request.identifier("table")
        guard try await tables.discard(id, request.household) else {
            return try await responseToReservedTable(id, request.household)
        }
        return .redirect(to: "/wine-import")
    }

    // MARK: Parts

    private static var alreadyDone: Response { .redirect(to: "/wine-import").flashing(Flash("already")) }

    /// The response if a table cannot be imported or discarded: another request is importing it, or it was already
    /// imported or discarded.
    private func responseToReservedTable(_ id: WineTableID, _ household: HouseholdID) async throws -> Response {
        guard try await tables.find(id, household) != nil else { return Self.alreadyDone }
        return .redirect(to: "/wine-import").flashing(Flash("wine-importing"))
    }

    /// Returns the columns that the member chose; before a choice, those recognised by their headings.
    private func mapping(
        _ headings: [String], _ request: MemberRequest, _ value: (String) -> String?
    ) async throws -> WineMapping {
        let home = try await HouseholdCurrency.of(request.household, database)
        let currency = value("usual-currency").flatMap { CurrencyCode($0) } ?? home
        let scale = value("scale").flatMap(ScoreScale.init(rawValue:)) ?? .hundred
        guard value("scale") != nil else {
            return WineMapping(columns: WineColumn.recognised(headings), scale: scale, currency: currency)
        }
        var columns: [WineColumn: Int] = [:]
        for column in WineColumn.allCases {
            if let index = value("column-\(column.rawValue)").flatMap({ Int($0) }), headings.indices.contains(index) {
                columns[column] = index
            }
        }
        return WineMapping(columns: columns, scale: scale, currency: currency)
    }

    private func refusalPage(_ request: MemberRequest, _ failure: WineTables.Failure) -> Response {
        let words = uploadPage.words(request)
        let (key, status): (String, Status) =
            switch failure {
            case .empty: ("empty", .unprocessableContent)
            case .notText: ("not-csv", .unprocessableContent)
            case .tooLarge: ("too-large", .contentTooLarge)
            case .badQuote: ("open-quote", .unprocessableContent)
            }
        let text =
            if case .badQuote(let line) = failure {
                words["server.import.line", ["count": .number(String(line))]]
            } else { words["server.wine.import-\(key)"] }
        let problem = Problem(title: words["server.import.\(key)"], text: text)
        return uploadPage.response(WineImportPage(problem: problem), for: request, status: status)
    }
}
