import Domain
import HTTP
import Postgres
import Templates

/// The import of a table: upload, preview, confirmation.
struct ImportController: Sendable {
    private let database: Database
    private let slowWork: SlowWork
    private let uploadPage: View<ImportPage>
    private let previewPage: View<ImportPreviewPage>

    private static let mostBytes = 5 * 1_048_576
    /// From this number of records on, the planner's statistics are refreshed.
    private static let manyRecords = 500
    /// How often a part is computed before the import gives up because other members write.
    private static let mostTries = 10

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        self.database = database
        self.slowWork = slowWork
        uploadPage = try views.page("exchange/import", ImportPage.self)
        previewPage = try views.page("exchange/preview", ImportPreviewPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/import", "ImportController.new", role: .member, new)
        try routes.member(.post, "/import", "ImportController.upload", body: .stream, upload)
        try routes.member(.get, "/import/{file}", "ImportController.preview", role: .member, preview)
        try routes.member(.post, "/import/{file}/confirmation", "ImportController.confirm", confirm)
        try routes.member(.post, "/import/{file}/discard", "ImportController.discard", discard)
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        uploadPage.response(ImportPage(problem: nil), for: request)
    }

    private func upload(_ request: MemberRequest) async throws -> Response {
        do {
            return try await take(request)
        } catch let error as FormError where error.status == .contentTooLarge {
            return refused(request, "too-large", status: .contentTooLarge)
        }
    }

    private func take(_ request: MemberRequest) async throws -> Response {
        request.body.setPace(.upload)
        let reader = try MultipartReader(request.head, request.body, limit: Self.mostBytes + 65_536)
        guard let first = try await reader.nextPart(), first.name == "csrf", first.fileName == nil,
            request.context.accepts(csrf: try await reader.value(limit: 200))
        else { throw Refusal.foreignForm }
        guard let part = try await reader.nextPart(), part.name == "file" else { throw Refusal.badRequest }
        let text: String
        do {
            let bytes = try await ImportText.bytes(reader, limit: Self.mostBytes)
            text = try await slowWork.run {
                let text = try ImportText.decode(bytes, limit: Self.mostBytes)
                _ = try ImportTable(text, currency: .eur)
                return text
            }
        } catch let failure as LineItemTable.Failure {
            return refused(request, failure)
        } catch ImportText.Failure.notText {
            return refused(request, "not-csv")
        } catch ImportText.Failure.tooLarge {
            return refused(request, "too-large")
        }
        let id = FileID.new()
        let household = request.household
        try await database.store(
            household,
            batch: [
                """
                DELETE FROM import_file WHERE household_id = \(household) AND created_at < now() - interval '1 day'
                """,
                """
                INSERT INTO import_file (household_id, id, person_id, name, content)
                VALUES (\(household), \(id), \(request.member.person), \((part.fileName ?? "").cut(to: 200)),
                    \(text))
                """,
            ])
        return .redirect(to: "/import/\(id)")
    }

    private func preview(_ request: MemberRequest) async throws -> Response {
        guard let file = try await stored(request) else { return Self.already }
        let table = try await slowWork.run { try ImportTable(file.text, currency: file.currency) }
        let booked = try await database.read(request.household, table.bookedQuery(request.member))
        let (words, language) = (previewPage.texts[request.language], request.language)
        let model = try await slowWork.run {
            var table = table
            try table.markKnown(booked)
            return ImportPreviewPage(
                href: "/import/\(file.id)", fileName: file.name, table: table, words: words, language: language)
        }
        return previewPage.response(model, for: request)
    }

    private func confirm(_ request: MemberRequest) async throws -> Response {
        guard let file = try await stored(request) else { return Self.already }
        let household = request.household
        let parts = try await slowWork.run { try ImportTable(file.text, currency: file.currency).parts }
        var count = 0
        // One transaction per part, so that other members can write in between. After an interruption, confirming again
        // finishes the import: booked records are skipped.
        for part in parts { count += try await book(part, of: file.id, request.member) }
        guard try await remove(file.id, household) else { return Self.already }
        if count >= Self.manyRecords {
            // Best effort: without it lists are slow until autovacuum runs.
            _ = try? await database.query("SELECT refresh_statistics()")
        }
        return .redirect(to: "/receipts").flashing(Flash("imported", count: count))
    }

    /// Books the part's records that are not booked yet. The household is locked only while they are stored; if it has
    /// changed since they were computed, they are computed again.
    ///
    /// - Returns: the number of records booked; 0 after a double submit, when the file is gone or all records are booked.
    /// - Throws: `Refusal.busy` if other members write all the time.
    private func book(_ part: ImportTable, of file: FileID, _ member: Member) async throws -> Int {
        for _ in 0..<Self.mostTries {
            let rows = try await database.read(member.household, batch: ImportBooking.statements(part, member))
            let booking = try await slowWork.run { try ImportBooking(part, rows) }
            guard booking.count > 0 else { return 0 }
            let count: Int? = try await database.write(member.household, by: member.person) { changes in
                let left = try await changes.query(
                    "SELECT 1 FROM import_file WHERE household_id = \(member.household) AND id = \(file)")
                guard !left.isEmpty else { return 0 }
                return try await booking.book(changes) ? booking.count : nil
            }
            if let count { return count }
        }
        throw Refusal.busy
    }

    private func discard(_ request: MemberRequest) async throws -> Response {
        guard try await remove(try request.identifier("file"), request.household) else {
            // Confirmed or discarded before; throws when the file never existed.
            _ = try await stored(request)
            return Self.already
        }
        return .redirect(to: "/import")
    }

    /// Deletes the file and records that it was confirmed or discarded. False when that was done before.
    private func remove(_ file: FileID, _ household: HouseholdID) async throws -> Bool {
        let gone = try await database.pool.transaction(household: household) { transaction in
            try await transaction.query(
                """
                WITH gone AS (DELETE FROM import_file WHERE household_id = \(household) AND id = \(file) RETURNING id)
                INSERT INTO operation (household_id, id) SELECT \(household), id FROM gone
                ON CONFLICT DO NOTHING RETURNING id
                """)
        }
        return !gone.isEmpty
    }

    /// The response when the file was confirmed or discarded before.
    private static var already: Response { .redirect(to: "/import").flashing(Flash("already")) }

    // MARK: Parts

    private struct StoredFile {
        let id: FileID
        let name: String
        let text: String
        let currency: Currency
    }

    /// Nil when the file was confirmed or discarded before.
    private func stored(_ request: MemberRequest) async throws -> StoredFile? {
        let id: FileID = try request.identifier("file")
        let rows = try await database.read(
            request.household,
            batch: [
                """
                SELECT f.name, f.content, h.currency FROM import_file f JOIN household h ON h.id = f.household_id
                WHERE f.household_id = \(request.household) AND f.id = \(id)
                """,
                "SELECT 1 FROM operation WHERE household_id = \(request.household) AND id = \(id)",
            ])
        guard let (name, text, currency) = try rows[0].first((String, String, Currency).self) else {
            guard !rows[1].isEmpty else { throw Refusal.notFound }
            return nil
        }
        return StoredFile(id: id, name: name, text: text, currency: currency)
    }

    private func refused(_ request: MemberRequest, _ failure: LineItemTable.Failure) -> Response {
        let words = uploadPage.texts[request.language]
        switch failure {
        case .unreadable(.tooLarge): return refused(request, "too-large")
        case .unreadable(.badQuote(let line)):
            return refused(request, "open-quote", words["server.import.line", ["count": .number(String(line))]])
        case .empty: return refused(request, "empty")
        case .missingColumns(let columns):
            let names = columns.map { $0.heading(request.language) }.joined(separator: ", ")
            return refused(request, "columns", words["server.import.columns-text", ["names": .text(names)]])
        }
    }

    private func refused(
        _ request: MemberRequest, _ key: String, _ text: String? = nil, status: Status = .unprocessableContent
    ) -> Response {
        let words = uploadPage.texts[request.language]
        let problem = Problem(
            title: words["server.import.\(key)"], text: text ?? words["server.import.\(key)-text"])
        return uploadPage.response(ImportPage(problem: problem), for: request, status: status)
    }
}
