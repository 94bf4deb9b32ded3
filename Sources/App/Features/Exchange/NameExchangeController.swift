import Domain
import HTTP
import Postgres
import Templates

/// Exports and imports the printed names that are matched to products.
struct NameExchangeController: Sendable {
    private let exchange: NameExchange
    private let slowWork: SlowWork
    private let page: View<NameImportPage>

    private static let mostBytes = 1 << 20

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
            request.body.setPace(.upload)
            let reader = try MultipartReader(request.head, request.body, limit: Self.mostBytes + 65_536)
            guard let first = try await reader.nextPart(), first.name == "csrf", first.fileName == nil,
                request.context.accepts(csrf: try await reader.value(limit: 200))
            else { throw Refusal.foreignForm }
            guard let part = try await reader.nextPart(), part.name == "file" else { throw Refusal.badRequest }
            let bytes = try await ImportText.bytes(reader, limit: Self.mostBytes)
            let table = try await slowWork.run {
                try NameTable(reading: try ImportText.decode(bytes, limit: Self.mostBytes))
            }
            let count = try await exchange.importRows(table.rows, by: request.member)
            return .redirect(to: "/names/import").flashing(Flash("names-imported", count: count))
        } catch let failure as NameTable.Failure {
            switch failure {
            case .missingColumns:
                let words = page.texts[request.language]
                return refused(request, words["server.names.columns"], words["server.names.columns-text"])
            case .unreadable(.tooLarge): return refused(request, "too-large")
            case .unreadable(.badQuote): return refused(request, "not-csv")
            }
        } catch ImportText.Failure.notText {
            return refused(request, "not-csv")
        } catch ImportText.Failure.tooLarge {
            return refused(request, "too-large")
        } catch let error as FormError where error.status == .contentTooLarge {
            return refused(request, "too-large", status: .contentTooLarge)
        }
    }

    private func refused(
        _ request: MemberRequest, _ key: String, status: Status = .unprocessableContent
    ) -> Response {
        let words = page.texts[request.language]
        return refused(request, words["server.import.\(key)"], words["server.import.\(key)-text"], status: status)
    }

    private func refused(
        _ request: MemberRequest, _ title: String, _ text: String, status: Status = .unprocessableContent
    ) -> Response {
        page.response(NameImportPage(problem: Problem(title: title, text: text)), for: request, status: status)
    }
}
