import Domain
import HTTP
import JSON
import Postgres
import Recognition
import Templates
import Wines

/// Wines in the API. Each path also works without the prefix `/api`, because existing native clients omit it.
struct WineAPI: Sendable {
    private let database: Database
    private let catalogues: WineCatalogues
    private let slowWork: SlowWork
    private let scanning: WineScanning
    private let texts: Texts

    private static let maximumResults = 100
    private static let maximumQueries = 200

    init(
        _ database: Database, _ catalogues: WineCatalogues, _ slowWork: SlowWork, _ scanning: WineScanning,
        _ views: Views
    ) {
        self.database = database
        self.catalogues = catalogues
        self.slowWork = slowWork
        self.scanning = scanning
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, "/api/v1/wines/search", "WineAPI.search", scope: .read, search)
        try routes.client(.get, "/api/v1/wines/{wine}", "WineAPI.show", scope: .read, show)
        try routes.client(
            .post, "/api/v1/wines/batch-match", "WineAPI.match", scope: .read, role: .viewer,
            body: .json(limit: 1 << 18),
            match)
        try routes.client(.post, "/api/v1/wines/scan", "WineAPI.scan", scope: .read, body: .stream, scan)
    }

    private func search(_ request: ClientRequest) async throws -> Response {
        let text = request.head.queryText("q", limit: TextLimit.wineName)
        let isFuzzy = try request.query("fuzzy") { ["true": true, "false": false][$0] } ?? true
        let limit = try request.number("limit", 1...Self.maximumResults, default: 20)
        let wines = try await catalogues.load(request.household)
        let found = text.isEmpty ? [] : try await slowWork.run { wines.search(text, fuzzy: isFuzzy, limit: limit) }
        let stored = try await StoredWine.load(found.map(\.id), request.household, database)
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.array("results") { json in
                for result in found {
                    guard let wine = stored[result.id] else { continue }
                    json.object { json in
                        json.object("wine") { WineJSON.write(wine, &$0) }
                        WineJSON.confidence(result.confidence, &json)
                    }
                }
            }
        }
        return request.answer(json)
    }

    private func show(_ request: ClientRequest) async throws -> Response {
        let wine = try await StoredWine.find(request.identifier("wine"), request.household, database)
        var json = JSONWriter(capacity: 1024)
        json.object { WineJSON.write(wine, &$0) }
        return request.answer(json)
    }

    /// Finds a wine for each text: `{"queries": ["…"]}` → `{"matches": {"…": wine or null}}`.
    private func match(_ request: ClientRequest) async throws -> Response {
        var fields = JSONFields(try request.object())
        let list = fields.list("queries", maximum: Self.maximumQueries) ?? []
        var queries: [String] = []
        for value in list {
            guard let text = value.string, text.length <= 400, !text.utf8.contains(0) else {
                fields.refuse("queries", "must be texts of at most 400 characters")
                break
            }
            // Compares bytes, because a client searches the response for exactly the text that it sent. String
            // comparison does not distinguish composed and decomposed characters.
            if !queries.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { queries.append(text) }
        }
        try fields.finish()
        let distinct = queries
        let wines = try await catalogues.load(request.household, texts: distinct)
        let matches = try await slowWork.run {
            distinct.map { text in
                wines.match(text: text, limit: 1).first { $0.confidence >= WineMatch.matchConfidence }
            }
        }
        let stored = try await StoredWine.load(matches.compactMap { $0?.id }, request.household, database)
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.object("matches") { json in
                for (query, match) in zip(queries, matches) {
                    json.key(query) { json in
                        if let wine = match.flatMap({ stored[$0.id] }) {
                            json.object { WineJSON.write(wine, &$0) }
                        } else {
                            json.null()
                        }
                    }
                }
            }
        }
        var response = request.answer(json)
        // The response is not stored for repeated requests, because the request changes nothing and may run again.
        response.headers[IdempotentRequests.notStored] = "1"
        return response
    }

    /// Expects a picture or a PDF as the body. `live=true` marks a frame of a live camera.
    private func scan(_ request: ClientRequest) async throws -> Response {
        let isLive = try request.query("live") { ["true": true, "false": false][$0] } ?? false
        request.body.setPace(.upload)
        do {
            let (member, key) = (request.member, request.client.key)
            let list: MatchedList? =
                isLive
                ? try await scanning.frame(
                    try await picture(request, limit: WineScanning.maximumFrameBytes), member, key: key)
                : try await scanning.photos(member, key: key) {
                    [try await picture(request, limit: UploadLimits.fileBytes)]
                }
            guard let list else { throw UploadRefusal.empty }
            var json = JSONWriter(capacity: 1 << 14)
            json.object { WineJSON.write(list, &$0) }
            var response = Response.json(json.bytes)
            response.headers[.cacheControl] = "no-store"
            // The response is not stored for repeated requests: a list is stored only if a person saves the scan.
            response.headers[IdempotentRequests.notStored] = "1"
            return response
        } catch let refusal as UploadRefusal {
            throw APIProblem(
                refusal.status, refusal.status == .unsupportedMediaType ? .unsupported : .invalidFields,
                refusal.sentence(texts[request.language]))
        } catch let quota as WineQuotaError {
            throw APIProblem(.tooManyRequests, .tooMany, quota.sentence(texts[request.language]))
        } catch let refusal as Refusal where refusal.key == Refusal.busy.key {
            var problem = APIProblem(refusal.status, .busy, texts[request.language]["server.wine.busy-text"])
            problem.headers[.retryAfter] = refusal.retryAfter.map { String($0) }
            throw problem
        } catch let failure as ReaderFailure {
            throw APIProblem(
                .unprocessableContent, .invalidFields, "The picture cannot be read: \(failure.reason.name).")
        }
    }

    /// - Throws: `UploadRefusal.empty`, `FormError`.
    private func picture(_ request: ClientRequest, limit: Int) async throws -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try await request.body.collect(limit: limit)
        } catch {
            throw FormError.body(error)
        }
        guard !bytes.isEmpty else { throw UploadRefusal.empty }
        return bytes
    }
}
