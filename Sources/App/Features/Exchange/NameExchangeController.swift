import Domain
import HTTP
import Postgres
import Templates

/// Exports and imports the printed names that are matched to products.
struct NameExchangeController: Sendable {
    private let exchange: NameExchange
    private let slowWork: SlowWork
    private let page: View<NameImportPage>

    private static let maximumBytes = 1 << 20

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        exchange = NameExchange(database: database)
        self.slowWork = slowWork
        page = try views.page("exchange/names", NameImportPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/names.csv", "NameExchangeController.export", export)
        try routes.member(.get, "/names/import", "NameExchangeController.show", role: .member, show)
        try routes.member(.post, "/names/import", "NameExchangeController.importFile", body: .stream, importFile)
    }

    private func export(_ request: MemberRequest) async throws -> Response {
        let rows = try await exchange.rows(request.member, page.texts[request.language])
        let text = try await slowWork.run { [language = request.language] in NameTable.write(rows, language: language) }
        var response = Response(.ok, headers: [.contentType: "text/csv; charset=utf-8"], body: .bytes(Array(text.utf8)))
        response.headers["Content-Disposition"] =
            "attachment; filename=\"allesteurer-names-\(WallClock.today().iso).csv\""
        return response
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        page.response(NameImportPage(problem: nil), for: request)
    }

    private func importFile(_ request: MemberRequest) async throws -> Response {
        do {
            let file = try await UploadedFile.read(request, limit: Self.maximumBytes)
            let table = try await slowWork.run {
                try NameTable(reading: try ImportText.decode(file.bytes, limit: Self.maximumBytes))
            }
            let count = try await exchange.importRows(table.rows, by: request.member)
            return .redirect(to: "/names/import").flashing(
                table.skippedCount > 0
                    ? Flash("names-imported-partly", count: count, others: [table.skippedCount])
                    : Flash("names-imported", count: count))
        } catch let failure as NameTable.Failure {
            switch failure {
            case .missingColumns: return refusalPage(request, "names.columns")
            case .unreadable(.tooLarge): return tooLarge(request)
            case .unreadable(.badQuote): return refusalPage(request, "import.not-csv")
            }
        } catch ImportText.Failure.notText {
            return refusalPage(request, "import.not-csv")
        } catch ImportText.Failure.tooLarge {
            return tooLarge(request)
        }
    }

    private func tooLarge(_ request: MemberRequest) -> Response {
        refusalPage(request, "names.too-large", status: .contentTooLarge)
    }

    /// Shows the page with the message in the texts `server.<key>` and `server.<key>-text`.
    private func refusalPage(
        _ request: MemberRequest, _ key: String, status: Status = .unprocessableContent
    ) -> Response {
        let words = page.texts[request.language]
        let problem = Problem(title: words["server.\(key)"], text: words["server.\(key)-text"])
        return page.response(NameImportPage(problem: problem), for: request, status: status)
    }
}
