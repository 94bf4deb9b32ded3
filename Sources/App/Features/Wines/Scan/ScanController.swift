import Domain
import HTTP
import Postgres
import Templates
import Wines

/// Scans wine lists. Pictures are read, matched with wines, and discarded.
struct ScanController: Sendable {
    private let database: Database
    private let scanning: WineScanning
    private let saved: SavedScans
    private let edits: WineEdits
    private let startPage: View<ScanStartPage>
    private let listPage: View<ScanPage>

    init(_ database: Database, _ scanning: WineScanning, _ views: Views) throws {
        self.database = database
        self.scanning = scanning
        saved = SavedScans(database: database)
        edits = WineEdits(database: database)
        startPage = try views.page("wines/scan", ScanStartPage.self)
        listPage = try views.page("wines/list", ScanPage.self)
    }

    private static let listBody = Endpoint.Body.longForm(bytes: 3 * ScannedList.maximumBytes, fields: 64)

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/wines/scan", "ScanController.start", role: .member, start)
        try routes.member(.post, "/wines/scan", "ScanController.scan", body: .stream, scan)
        // The page of a scanned list is the response to a POST request. A GET request has no list, so it starts a new
        // scan.
        try routes.member(.get, "/wines/scan/list", "ScanController.restart", role: .member) { _ in
            .redirect(to: "/wines/scan")
        }
        try routes.member(.post, "/wines/scan/list", "ScanController.list", body: Self.listBody, list)
        try routes.member(.post, "/wine-scans", "ScanController.save", body: Self.listBody, save)
        try routes.member(.get, "/wine-scans/{scan}", "ScanController.show", show)
        try routes.member(.post, "/wine-scans/{scan}/removal", "ScanController.remove", remove)
    }

    private func start(_ request: MemberRequest) async throws -> Response { try await start(request, nil) }

    private func start(_ request: MemberRequest, _ problem: Problem?, status: Status = .ok) async throws -> Response {
        let plan = try await WinePlan.load(request.household, database)
        let rows = try await saved.list(request.household)
        return startPage.response(
            ScanStartPage(
                problem: problem, hasLive: plan.hasLive, scans: rows, words: startPage.words(request),
                language: request.language), for: request, status: status)
    }

    /// Reads the uploaded pictures and answers with the list; does not store the pictures.
    private func scan(_ request: MemberRequest) async throws -> Response {
        let words = startPage.words(request)
        request.body.setPace(.upload)
        do {
            if let list = try await scanning.photos(request.member, receive: { try await files(request) }) {
                return try await page(list, request)
            }
            return try await start(
                request, Problem(title: words["server.form.choose-file"], text: words["server.form.choose-file-text"]),
                status: .unprocessableContent)
        } catch let refusal as UploadRefusal {
            let problem = Problem(title: words["server.wine.unreadable"], text: refusal.sentence(words))
            return try await start(request, problem, status: refusal.status)
        } catch let quota as WineQuotaError {
            let problem = Problem(title: words["server.wine.quota"], text: quota.sentence(words))
            return try await start(request, problem, status: .tooManyRequests)
        } catch let refusal as Refusal where refusal.key == Refusal.busy.key {
            let problem = Problem(title: words["server.wine.busy"], text: words["server.wine.busy-text"])
            var response = try await start(request, problem, status: refusal.status)
            response.headers[.retryAfter] = refusal.retryAfter.map { String($0) }
            return response
        } catch is ReaderFailure {
            return try await start(
                request, Problem(title: words["server.wine.unreadable"], text: words["server.wine.unreadable-text"]),
                status: .unprocessableContent)
        }
    }

    private func files(_ request: MemberRequest) async throws -> [[UInt8]] {
        let reader = try await request.multipartForm(limit: WineScanning.maximumBytes + 65_536)
        var files: [[UInt8]] = []
        while let part = try await reader.nextPart() {
            guard part.name == "files", part.fileName != nil else { continue }
            guard files.count < WineScanning.maximumFiles else { throw Refusal.tooLarge }
            var bytes: [UInt8] = []
            while let chunk = try await reader.nextChunk() {
                guard bytes.count + chunk.count <= UploadLimits.fileBytes else { throw UploadRefusal.tooLarge }
                bytes += chunk
            }
            if !bytes.isEmpty { files.append(bytes) }
        }
        return files
    }

    /// Shows the list that the browser sends back, with another filter or after a member has confirmed or rejected a
    /// match.
    private func list(_ request: MemberRequest) async throws -> Response {
        let list = try scannedList(request)
        var quota: WineQuotaError?
        do {
            try await recordDecision(list, request)
        } catch let error as WineQuotaError {
            quota = error
        }
        if let scan = request.form["scan"].flatMap({ WineScanID($0) }) {
            let response = Response.redirect(to: "/wine-scans/\(scan)\(ScanFilter(request.head).query)")
            return quota == nil ? response : response.flashing(Flash("wine-quota"))
        }
        try await countFilter(request)
        let words = listPage.words(request)
        let problem = quota.map { Problem(title: words["server.wine.quota"], text: $0.sentence(words)) }
        return try await page(try await scanning.match(list, request.household), request, problem: problem)
    }

    private func scannedList(_ request: MemberRequest) throws -> ScannedList {
        guard let list = ScannedList(json: Array(try request.form.required("list").utf8)) else {
            throw Refusal.badRequest
        }
        return list
    }

    /// Records the member's decision about a match. The field `decision` holds the number of the entry, `is` or `not`,
    /// and the identifier of the wine, separated by colons.
    ///
    /// - Throws: `WineQuotaError`, `Refusal`.
    private func recordDecision(_ list: ScannedList, _ request: MemberRequest) async throws {
        guard let text = request.form["decision"] else { return }
        let parts = text.split(separator: ":")
        guard parts.count == 3, let number = Int(parts[0]), list.entries.indices.contains(number),
            ["is", "not"].contains(parts[1]), let wine = WineID(parts[2])
        else { throw Refusal.badRequest }
        try await edits.recordMatch(list.entries[number].text, wine, isMatch: parts[1] == "is", by: request.member)
    }

    private func save(_ request: MemberRequest) async throws -> Response {
        let list = try scannedList(request)
        let place = (request.form.trimmed("place") ?? "").cut(to: TextLimit.place)
        let matched = try await scanning.match(list, request.household)
        do {
            let id = try await saved.save(matched, place: place, form: request.sentForm, by: request.member)
            try await WineCounters.add([.saved: 1], request.household, database)
            return .redirect(to: "/wine-scans/\(id)").flashing(Flash("saved"))
        } catch is RepeatedForm {
            return .redirect(to: "/wines/scan").flashing(Flash("already"))
        }
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let stored = try await saved.find(request.identifier("scan"), request.household)
        let matched = try await scanning.match(stored.list, request.household)
        try await countFilter(request)
        return try await page(matched, request, saved: stored.head)
    }

    /// Counts a list that is shown with a filter.
    private func countFilter(_ request: MemberRequest) async throws {
        guard ScanFilter(request.head).isActive else { return }
        try await WineCounters.add([.filtered: 1], request.household, database)
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        try await saved.remove(request.identifier("scan"), by: request.member)
        return .redirect(to: "/wines/scan").flashing(Flash("removed"))
    }

    private func page(
        _ list: MatchedList, _ request: MemberRequest, saved: SavedScans.Head? = nil, problem: Problem? = nil
    ) async throws -> Response {
        let paid = try await CellarQueries(database: database).lastPaid(
            for: list.entries.compactMap { $0.wine?.id }, request.household)
        let model = ScanPage(
            list: list, filter: ScanFilter(request.head), saved: saved, problem: problem, paid: paid,
            words: listPage.words(request), language: request.language, today: WallClock.today(),
            isMember: request.member.role >= .member)
        return listPage.response(model, for: request, status: problem == nil ? .ok : .unprocessableContent)
    }
}
