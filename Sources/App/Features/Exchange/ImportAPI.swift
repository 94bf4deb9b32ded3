import Domain
import HTTP
import JSON

/// The import of a table in the API: upload it, check the result, then confirm or discard it.
struct ImportAPI: Sendable {
    private let files: ImportFiles

    init(_ database: Database, _ slowWork: SlowWork) { files = ImportFiles(database: database, slowWork: slowWork) }

    func register(_ routes: inout Routes) throws {
        try routes.client(
            .post, "/api/v1/imports", "ImportAPI.upload", scope: .write, body: .stream, upload)
        try routes.client(.get, "/api/v1/imports/{file}", "ImportAPI.show", scope: .write, role: .member, show)
        try routes.client(.post, "/api/v1/imports/{file}/confirmation", "ImportAPI.confirm", scope: .write, confirm)
        try routes.client(.delete, "/api/v1/imports/{file}", "ImportAPI.discard", scope: .write, discard)
    }

    /// Expects a CSV table as the body.
    private func upload(_ request: ClientRequest) async throws -> Response {
        let type = request.head.headers[.contentType].flatMap(MediaType.init)?.essence
        guard type == "text/csv" else {
            throw APIProblem(.unsupportedMediaType, .unsupported, "Content-Type must be text/csv.")
        }
        request.body.setPace(.upload)
        let bytes: [UInt8]
        do {
            bytes = try await request.body.collect(limit: ImportFiles.maximumBytes)
        } catch {
            throw FormError.body(error)
        }
        do {
            let id = try await files.store(bytes, name: request.head.query("name") ?? "", request.member)
            var response = try await answer(id, request, status: .created)
            response.headers[.location] = "/api/v1/imports/\(id)"
            return response
        } catch let failure as LineItemTable.Failure {
            throw APIProblem(.unprocessableContent, .invalidFields, Self.detail(failure))
        } catch ImportText.Failure.notText {
            throw APIProblem(.unprocessableContent, .invalidFields, "The body is not text.")
        } catch ImportText.Failure.tooLarge {
            throw Refusal.tooLarge
        }
    }

    private static func detail(_ failure: LineItemTable.Failure) -> String {
        switch failure {
        case .unreadable(.tooLarge): "The table is too large."
        case .unreadable(.badQuote(let line)): "A quotation mark in line \(line) is not closed."
        case .empty: "The table is empty."
        case .missingColumns(let columns):
            "These columns are missing: \(columns.map { $0.heading(.english) }.joined(separator: ", "))."
        }
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        try await answer(try request.identifier("file"), request)
    }

    private func answer(_ id: FileID, _ request: ClientRequest, status: Status = .ok) async throws -> Response {
        // A confirmed or discarded file no longer exists.
        guard let file = try await files.find(id, request.household) else { throw Refusal.notFound }
        let table = try await files.table(file, request.member)
        var json = JSONWriter()
        json.object { json in
            json.member("id", id.description)
            json.member("name", file.name)
            json.member("lines", table.rows.count)
            json.member("understood", table.validCount)
            json.member("new", table.newRecords.count)
            json.array("not_understood") { json in
                for row in table.rows.lazy.filter({ (try? $0.verdict.get()) == nil }).prefix(100) {
                    json.value(row.line)
                }
            }
        }
        return request.answer(json, status: status)
    }

    private func confirm(_ request: ClientRequest) async throws -> Response {
        try request.requireEmptyObject()
        let count = try await files.confirm(request.identifier("file"), request.member)
        var json = JSONWriter()
        json.object { json in
            json.member("imported", count ?? 0)
            json.member("was_done", count == nil)
        }
        return request.answer(json)
    }

    private func discard(_ request: ClientRequest) async throws -> Response {
        _ = try await files.discard(request.identifier("file"), request.household)
        return Response(.noContent)
    }
}
