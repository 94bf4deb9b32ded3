import Domain
import EventLoop
import HTTP
import JSON
import Postgres

/// A request for the feed `_changes`: its parameters and its response.
struct CouchChanges: Sendable {
    enum Feed: String, Sendable {
        case normal, longpoll, continuous
    }

    let database: Database
    let member: Member
    var feed = Feed.normal
    /// The last sequence number that the client has; nil for `since=now`, the newest number. A number that is greater
    /// than the household's newest number means 0.
    var since: Int64? = 0
    var limit = Int64.max
    /// Whether each row lists all leaves, not only the winner.
    var allLeaves = false
    var includesDocuments = false
    /// The options for writing documents.
    var options = CouchDocumentWriter.Options()
    /// The API key of the request; nil for a browser.
    let key: KeyID?
    /// The documents to report; nil for all.
    var keys: [DocumentKey]?
    var selector: CouchSelector?
    /// Milliseconds between the empty lines that are sent while nothing changes; nil for no empty lines.
    var heartbeat: Int64?
    /// Milliseconds after which a feed without changes ends.
    var timeout: Int64 = 60_000

    private static let pageSize: Int64 = 1_000
    private static let pageSizeWithDocuments: Int64 = 100

    init(_ request: ClientRequest, _ database: Database) throws(CouchRefusal) {
        let (head, body) = (request.head, request.json)
        self.database = database
        member = request.member
        key = request.client.key
        func number(_ name: String) throws(CouchRefusal) -> Int64? {
            guard let text = head.query(name) else { return nil }
            guard let number = Int64(text), number >= 0 else { throw .badRequest("\(name) must be a number") }
            return number
        }
        if let text = head.query("feed") {
            guard let feed = Feed(rawValue: text) else {
                throw .badRequest("feed must be normal, longpoll or continuous")
            }
            self.feed = feed
        }
        since = try Self.sequence(head.query("since"))
        // CouchDB treats 0 as 1.
        if let number = try number("limit") { limit = max(1, number) }
        allLeaves = head.query("style") == "all_docs"
        includesDocuments = head.query("include_docs") == "true"
        options.withConflicts = head.query("conflicts") == "true"
        options.withData = head.query("attachments") == "true"
        if let text = head.query("heartbeat") {
            heartbeat = text == "true" ? 60_000 : Int64(text).map { min(max($0, 100), 600_000) }
        }
        if let number = try number("timeout") { timeout = min(number, 60_000) }
        guard head.query("descending") != "true" else { throw .badRequest("descending is not supported") }
        switch head.query("filter") {
        case nil: break
        case "_doc_ids": keys = try Self.keys(head, body)
        case "_selector": selector = try CouchSelector(body["selector"])
        case let name?: throw CouchRefusal(.notFound, "not_found", "missing filter \(name.prefix(100))")
        }
        if keys == nil, body["doc_ids"] != nil { keys = try Self.keys(head, body) }
    }

    /// Parses a sequence number of this server. Ignores a suffix after the number, because other CouchDB servers append
    /// a suffix.
    static func sequence(_ text: String?) throws(CouchRefusal) -> Int64? {
        guard let text, text != "\"0\"" else { return 0 }
        if text == "now" || text == "\"now\"" { return nil }
        let digits = text.drop { $0 == "\"" }.prefix { $0.isNumber }
        guard let number = Int64(digits) else {
            throw .badRequest("since must be now or a sequence number of this server")
        }
        return number
    }

    private static func keys(_ head: RequestHead, _ body: JSONValue) throws(CouchRefusal) -> [DocumentKey] {
        var list = body["doc_ids"]?.array
        if list == nil, let text = head.query("doc_ids") { list = (try? JSONValue(reading: text))?.array }
        guard let list else { throw .badRequest("doc_ids must be a list") }
        // Ignores identifiers that no document can have.
        return list.compactMap { $0.string.flatMap { DocumentKey($0) } }
    }

    // MARK: Feeds

    /// Writes the whole response. Holds no database connection while it waits for changes.
    func write(to writer: any ResponseWriter) async throws {
        try await WallClock.$zone.withValue(member.zone) {
            var position = try await inChildTask { try await begin(writer) }
            while true {
                if feed == .normal || position.count >= limit || (feed == .longpoll && position.count > 0) { break }
                guard try await waitForChange(after: position.cursor, writer) else { break }
                let next = try await inChildTask { [position] in try await proceed(from: position, writer) }
                guard let next else { break }
                position = next
            }
            let last = "\"last_seq\":\(position.cursor),\"pending\":\(position.pending)}\n"
            try await writer.send(Array((feed == .continuous ? "{" + last : "\n],\n" + last).utf8))
        }
    }

    /// The state of a feed: how much of it has been written.
    private struct Position: Sendable {
        /// The sequence number of the last change that was written or filtered out.
        var cursor: Int64 = 0
        /// The number of rows that were written.
        var count: Int64 = 0
        /// The number of rows after `cursor`.
        var pending: Int64 = 0
    }

    private func begin(_ writer: any ResponseWriter) async throws -> Position {
        let newest =
            try await database.read(
                member.household, "SELECT sync_seq FROM household WHERE id = \(member.household)"
            ).first(Int64.self) ?? 0
        // A greater number comes from another installation, or from before a backup was restored.
        let start = since.map { $0 > newest ? 0 : $0 } ?? newest
        if feed != .continuous { try await writer.send(Array("{\"results\":[\n".utf8)) }
        return try await writePages(from: Position(cursor: start), to: writer)
    }

    /// Writes the new changes. Returns nil if the member may no longer read them; the feed then ends.
    private func proceed(from position: Position, _ writer: any ResponseWriter) async throws -> Position? {
        guard try await mayContinue() else { return nil }
        return try await writePages(from: position, to: writer)
    }

    /// Waits for the next change. With a heartbeat, writes an empty line after each interval.
    ///
    /// - Returns: false if the feed must end.
    private func waitForChange(after cursor: Int64, _ writer: any ResponseWriter) async throws -> Bool {
        let step = heartbeat ?? timeout
        while !database.signal.hasStopped {
            let found = await database.waitForChange(
                of: member.household, after: cursor, atMost: .milliseconds(step))
            if found != nil { return true }
            guard heartbeat != nil, !Task.isCancelled else { return false }
            try await writer.send([10])
        }
        return false
    }

    /// Returns false if the member has left the household, or if the key was revoked or has expired.
    private func mayContinue() async throws -> Bool {
        let hasKey: SQL =
            key.map {
                """
                EXISTS (SELECT 1 FROM api_key WHERE household_id = \(member.household) AND person_id = \(member.person)
                    AND id = \($0) AND coalesce(expires_at > now(), true))
                """
            } ?? "true"
        return try await !database.read(
            """
            SELECT 1 FROM membership
            WHERE household_id = \(member.household) AND person_id = \(member.person) AND \(hasKey)
            """
        ).isEmpty
    }

    /// Writes the rows after the position, one page at a time.
    private func writePages(from start: Position, to writer: any ResponseWriter) async throws -> Position {
        var position = start
        while true {
            let most = includesDocuments || selector != nil ? Self.pageSizeWithDocuments : Self.pageSize
            let page = try await CouchChangesPage.read(
                self, after: position.cursor, size: min(most, limit - position.count))
            var text = JSONWriter(capacity: 256 * page.rows.count)
            for row in page.rows {
                if feed != .continuous, position.count > 0 { text.raw(",\n") }
                row.write(self, files: try await files(of: row), into: &text)
                if feed == .continuous { text.endLine() }
                position.count += 1
            }
            if options.withData {
                try await InlineContents.send(text.bytes, member.household, database, to: writer)
            } else if !text.bytes.isEmpty {
                try await writer.send(text.bytes)
            }
            position.cursor = page.last
            position.pending = page.pending
            if position.count >= limit || page.isLast { return position }
        }
    }

    /// Returns the stored contents of the winning revision's attachments, if the client requested them.
    private func files(of row: CouchChangesPage.Row) async throws -> [String: BlobID] {
        guard includesDocuments, options.withData, let winner = row.leaves.first,
            let stored = row.document?.revisions[winner]
        else { return [:] }
        return try await SyncDocumentQueries(database: database).files(of: stored, options, member.household)
    }
}
