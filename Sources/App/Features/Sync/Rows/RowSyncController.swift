import Domain
import HTTP
import JSON
import Postgres

/// Sync for native clients in WatermelonDB's format: rows of tables, with a sequence number as the timestamp.
struct RowSyncController: Sendable {
    let database: Database

    func register(_ routes: inout Routes) throws {
        let path = "/api/v1/households/{household}"
        try routes.client(.get, path + "/sync", "RowSyncController.pull", scope: .sync, pull)
        try routes.client(
            .post, path + "/sync", "RowSyncController.push", scope: .sync, body: .json(limit: 8 << 20), push)
        try routes.client(.get, path + "/prices", "RowSyncController.prices", scope: .sync, prices)
        try routes.client(
            .put, path + "/images/{image}", "RowSyncController.putImage", scope: .sync, body: .stream, putImage)
    }

    private func pull(_ request: ClientRequest) async throws -> Response {
        try request.requireOwnHousehold()
        var pull = SyncPull(
            database: database, member: request.member, since: try Self.since(request.head.query("last_pulled_at")))
        if let text = request.head.query("migration"), let migration = try? JSONValue(reading: text) {
            pull.newTables = Set((migration["tables"]?.array ?? []).compactMap(\.string))
            pull.widenedTables = Set((migration["columns"]?.array ?? []).compactMap { $0["table"]?.string })
        }
        let complete = pull
        return Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: .stream(length: nil) { writer in try await complete.write(to: writer) }, isCompressible: false)
    }

    private func prices(_ request: ClientRequest) async throws -> Response {
        try request.requireOwnHousehold()
        return request.answer(try await PriceFeed(database: database).document(request.member))
    }

    private func push(_ request: ClientRequest) async throws -> Response {
        try request.requireOwnHousehold()
        // Some clients send {"changes": …} around the tables.
        let object = try request.object()
        let changes = object["changes"]?.object ?? object
        do {
            let rejected = try await SyncPush(
                database: database, member: request.member,
                since: try Self.since(request.head.query("last_pulled_at"))
            ).store(changes)
            var json = JSONWriter()
            json.object { SyncPush.write(rejected, into: &$0) }
            return .json(json.bytes)
        } catch is SyncPush.StalePull {
            throw APIProblem(.conflict, .conflict, "A row has changed since last_pulled_at. Pull, then push again.")
        } catch let fault as DocumentFault {
            throw APIProblem.invalid("changes", fault.reason)
        }
    }

    /// Stores the contents of an image. A repeated request changes nothing.
    private func putImage(_ request: ClientRequest) async throws -> Response {
        try request.requireOwnHousehold()
        request.body.setPace(.upload)
        let id: Identifier<Void> = try request.identifier("image")
        let (key, member) = (DocumentKey(.image, id), request.member)
        let known = try await SyncDocumentQueries(database: database).load([key], member, bodiesOf: .none)[key]
        if let known, !known.isDeleted { return Response(.noContent) }
        let parser = CouchDocumentParser(quarantine: Quarantine(database: database), household: member.household)
        let attachment: IncomingAttachment
        do {
            attachment = try await parser.store(
                request.body, name: request.head.query("name") ?? "picture",
                type: request.head.headers[.contentType] ?? "application/octet-stream")
        } catch let refusal as UploadRefusal {
            throw refusal.problem()
        }
        var body: JSONObject = ["type": "image"]
        if let receipt = request.head.query("receipt_id").flatMap({ Identifier<Void>($0) }) {
            body["receipt"] = .string(DocumentKey(.receipt, receipt).description)
        }
        do {
            try await SyncEdits(database: database).store(
                IncomingDocument(
                    key: key, origin: .edit(of: known?.winner), isDeleted: false, body: body, attachments: [attachment]),
                by: member)
        } catch {
            await parser.discard([attachment])
            if error is StaleRevision { return Response(.noContent) }
            if let fault = error as? DocumentFault { throw APIProblem.invalid("image", fault.reason) }
            throw error
        }
        return Response(.created)
    }

    /// - Throws: `APIProblem` if the text is not a number from 0. A missing or empty parameter and `null` mean 0.
    private static func since(_ text: String?) throws -> Int64 {
        guard let text, text != "null", !text.isEmpty else { return 0 }
        guard let number = Int64(text), number >= 0 else {
            throw APIProblem(.badRequest, .badRequest, "last_pulled_at must be the timestamp of the last pull.")
        }
        return number
    }
}
