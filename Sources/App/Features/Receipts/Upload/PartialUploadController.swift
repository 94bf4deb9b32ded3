import Domain
import HTTP
import JSON
import Templates

/// Uploads in parts, for the script of the upload page. Forms without scripts send whole files (`UploadController`).
///
/// 1. `POST /uploads` announces a file under an identifier that the browser chose.
/// 2. `POST /uploads/{upload}/parts?offset=N` sends the bytes from offset N, in order, one part at a time.
/// 3. After a failure, `GET /uploads/{upload}` returns the offset at which to continue.
///
/// Each response contains the state: `offset`, and after the receipt was created, `receipt`. All requests can be
/// repeated.
struct PartialUploadController: Sendable {
    private let uploads: PartialUploads
    private let texts: Texts

    init(_ database: Database, _ views: Views) {
        let quarantine = Quarantine(database: database)
        uploads = PartialUploads(
            database: database, intake: ReceiptIntake(database: database, quarantine: quarantine))
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.post, "/uploads", "PartialUploadController.begin", begin)
        try routes.member(
            .get, "/uploads/{upload}", "PartialUploadController.state", role: .member, state)
        try routes.member(
            .post, "/uploads/{upload}/parts", "PartialUploadController.store", body: .stream, store)
    }

    private func begin(_ request: MemberRequest) async throws -> Response {
        guard let id = UploadID(try request.form.required("upload")),
            let size = Int64(try request.form.required("size"))
        else { throw Refusal.badRequest }
        do {
            let state = try await uploads.begin(
                id, name: try request.form.required("name"), size: size,
                insteadOf: request.form["instead"].flatMap { ReceiptID($0) }, by: request.member)
            return answer(state, id, request)
        } catch let refusal as UploadRefusal {
            return problemResponse(refusal, request)
        }
    }

    private func state(_ request: MemberRequest) async throws -> Response {
        let id: UploadID = try request.identifier("upload")
        guard let state = try await uploads.state(id, request.member) else { throw Refusal.notFound }
        return answer(state, id, request)
    }

    private func store(_ request: MemberRequest) async throws -> Response {
        let id: UploadID = try request.identifier("upload")
        guard try await uploads.state(id, request.member) != nil else { throw Refusal.notFound }
        guard request.context.accepts(csrf: request.head.headers["X-CSRF-Token"]) else { throw Refusal.foreignForm }
        guard let offset = request.head.query("offset").flatMap({ Int64($0) }) else { throw Refusal.badRequest }
        request.body.setPace(.upload)
        let part: [UInt8]
        do {
            part = try await request.body.collect(limit: UploadLimits.chunkBytes)
        } catch {
            throw FormError.body(error)
        }
        let state = try await uploads.store(part, at: offset, of: id, by: request.member)
        let response = answer(state, id, request)
        guard let replaced = state.replaced else { return response }
        return response.flashing(Flash("replaced", undo: "/receipts/\(replaced)/restoration"))
    }

    // MARK: Answers

    private func answer(_ state: PartialUploads.State, _ id: UploadID, _ request: MemberRequest) -> Response {
        if case .refused(let refusal)? = state.outcome { return problemResponse(refusal, request) }
        var json = JSONWriter()
        json.object { json in
            json.member("upload", id.description)
            json.member("offset", state.received)
            json.member("partBytes", UploadLimits.chunkBytes)
            guard let outcome = state.outcome, let receipt = outcome.receipt else { return }
            json.object("receipt") { json in
                json.member("href", "/receipts/\(receipt)")
                json.member("isDuplicate", outcome.isDuplicate)
            }
        }
        return .json(json.bytes)
    }

    /// Responds with a problem document (RFC 9457).
    private func problemResponse(_ refusal: UploadRefusal, _ request: MemberRequest) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.member("title", refusal.sentence(texts[request.language]))
            json.member("status", Int64(refusal.status.code))
        }
        return Response(
            refusal.status, headers: ["Content-Type": "application/problem+json"], body: .bytes(json.bytes))
    }
}
