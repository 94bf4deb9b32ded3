import Domain
import HTTP
import JSON
import Postgres
import Templates

/// Bank files in the API: upload, preview, import or discard, and undo. Each person sees only their own files.
struct BankAPI: EditedResource {
    static let name = "bank-files"
    static let parameters = "{bank}"
    /// Other expenses change the preview of a waiting file without a new revision.
    static let mayAnswerNotModified = false

    private let database: Database
    private let slowWork: SlowWork
    private let imports: BankImports
    private let confirmation: BankConfirmation
    private let texts: Texts

    enum Resource: Sendable {
        case waiting(BankImports.WaitingFile)
        case imported(ImportedBankFile)
    }

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) {
        self.database = database
        self.slowWork = slowWork
        imports = BankImports(database: database, slowWork: slowWork)
        confirmation = BankConfirmation(database: database)
        texts = views.library.texts
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, Self.all, "BankAPI.list", scope: .read, role: .member, list)
        try routes.client(.post, Self.all, "BankAPI.upload", scope: .write, body: .stream, upload)
        try registerOne(&routes, readers: .member)
        try routes.client(.put, "\(Self.one)/columns", "BankAPI.map", scope: .write, map)
        try routes.client(.post, "\(Self.one)/confirmation", "BankAPI.confirm", scope: .write, confirm)
    }

    /// Lists the imported files, newest first.
    private func list(_ request: ClientRequest) async throws -> Response {
        let done = try await imports.importedFiles(request.member)
        return request.answer(list: Self.listMember, next: nil) { json in
            for file in done {
                json.object { json in
                    json.member("id", file.id.description)
                    json.member("revision", file.revision)
                    json.member("name", file.name)
                    json.member("made", file.createdCount)
                    json.member("joined", file.linkedCount)
                }
            }
        }
    }

    /// Expects the file as the body: CSV, CAMT or MT940. With `personal=true`, only the caller sees the expenses that
    /// the import creates. `account` is the name of the account, for files that do not contain it.
    private func upload(_ request: ClientRequest) async throws -> Response {
        let isPersonal = try request.query("personal") { ["true": true, "false": false][$0] } ?? false
        request.body.setPace(.upload)
        let bytes: [UInt8]
        do {
            bytes = try await request.body.collect(limit: BankFileLimits.maximumBytes)
        } catch {
            throw FormError.body(error)
        }
        do {
            let id = try await imports.store(
                bytes, name: request.head.query("name") ?? "", account: request.head.query("account") ?? "",
                isPersonal: isPersonal, request.member)
            return try await answer(id, request, status: .created)
        } catch let failure as BankFileFailure {
            throw Self.problem(failure)
        } catch ImportText.Failure.notText {
            throw APIProblem(.unprocessableContent, .invalidFields, "The body is not a text file.")
        } catch ImportText.Failure.tooLarge {
            throw Refusal.tooLarge
        }
    }

    func key(_ request: ClientRequest) throws -> BankImportID { try request.identifier("bank") }

    func find(_ id: BankImportID, _ request: ClientRequest) async throws -> Resource {
        if let file = try await imports.find(id, request.member) { return .waiting(file) }
        return .imported(try await ImportedBankFile.find(id, request.member, database))
    }

    func revision(_ stored: Resource) -> Int64 {
        switch stored {
        case .waiting(let file): file.revision
        case .imported(let file): file.revision
        }
    }

    func document(_ stored: Resource, _ request: ClientRequest) async throws -> JSONWriter {
        switch stored {
        case .waiting(let file):
            let preview = try await preview(file, request)
            return JSONWriter(object: { BankJSON.write(file, preview, &$0) })
        case .imported(let file): return JSONWriter(object: { BankJSON.write(file, &$0) })
        }
    }

    // MARK: Changes

    /// Sets the roles of a table's columns, for this and other files with the same header.
    private func map(_ request: ClientRequest) async throws -> Response {
        let file = try await waiting(request)
        guard BankFile.format(of: file.text) == .csv else {
            throw APIProblem(.conflict, .conflict, "The file is not CSV, so it has no columns.")
        }
        let count = try await slowWork.run { try BankTable(file.text).columns.roles.count }
        var fields = JSONFields(try request.object())
        let list = fields.given("roles") { $0.list("roles", maximum: 64) } ?? []
        let roles = list.compactMap { $0.string.flatMap(BankColumns.Role.init(rawValue:)) }
        if roles.count != list.count || roles.count != count {
            let names = BankColumns.Role.allCases.map(\.rawValue).joined(separator: ", ")
            fields.refuse("roles", "must have \(count) elements, each one of \(names)")
        } else if !BankColumns(roles).isComplete {
            fields.refuse("roles", "must contain a day and an amount")
        }
        try fields.finish()
        try await imports.assignRoles(of: file, roles, request.member)
        return try await answer(file.id, request)
    }

    private func confirm(_ request: ClientRequest) async throws -> Response {
        let file = try await waiting(request)
        let preview = try await preview(file, request)
        let decisions = try Self.decisions(try request.object(), of: preview)
        guard preview.statement != nil else {
            throw APIProblem(.conflict, .conflict, "Set the roles of the columns first.")
        }
        let suggestions = try await ExpenseSuggestions.load(request.member, database)
        let counts = try await confirmation.confirm(
            file.id, revision: file.revision, isPersonal: file.isPersonal, preview, decisions, suggestions,
            unnamed: texts[request.language]["server.bank.unnamed"], by: request.member)
        var json = JSONWriter()
        json.object { json in
            json.member("made", counts?.createdCount ?? 0)
            json.member("joined", counts?.linkedCount ?? 0)
            json.member("was_done", counts == nil)
        }
        return request.answer(json)
    }

    /// - Throws: `BankConfirmation.StalePreview` if a booking no longer has the match that the client was shown.
    private static func decisions(
        _ object: JSONObject, of preview: BankPreview
    ) throws -> [Int: BankPreview.Decision] {
        var fields = JSONFields(object)
        var decisions: [Int: BankPreview.Decision] = [:]
        var isStale = false
        for (index, value) in (fields.list("decisions", maximum: BankFileLimits.maximumBookings) ?? []).enumerated() {
            var entry = JSONFields(value.object ?? JSONObject(), path: "decisions/\(index)/")
            let row = entry.given("row") { $0.integer("row", 0...Int64(max(0, preview.rows.count - 1))) }
            let decision = entry.given("decision") { $0.choice("decision", of: BankPreview.Decision.self) }
            let match: ExpenseID? = entry.given("match") { $0.identifier("match") }
            if row == nil || decision == nil, entry.errors.isEmpty {
                entry.refuse("row", "must be given together with decision")
            }
            if decision == .link, match == nil, entry.errors.isEmpty {
                entry.refuse("match", "is required to join a booking")
            }
            entry.refuseUnknown()
            fields.add(entry.errors)
            if let row, let decision { decisions[Int(row)] = decision }
            if let row, let match {
                let exists = preview.rows.indices.contains(Int(row))
                let matchID = exists ? preview.rows[Int(row)].match?.candidate.id : nil
                if matchID != match { isStale = true }
            }
        }
        try fields.finish()
        guard !isStale else { throw BankConfirmation.StalePreview() }
        return decisions
    }

    /// Discards a waiting file, or undoes the import of an imported one.
    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        let isDeleted =
            switch stored {
            case .waiting(let file):
                try await imports.discard(file.id, revision: file.revision, request.member)
            case .imported(let file):
                try await confirmation.undo(file.id, revision: file.revision, by: request.member)
            }
        guard isDeleted else { throw Conflict() }
    }

    // MARK: Parts

    /// Loads a file that was not imported yet, at the revision that the client sent.
    private func waiting(_ request: ClientRequest) async throws -> BankImports.WaitingFile {
        guard case .waiting(let file) = try await loadForChange(request) else {
            throw APIProblem(.conflict, .conflict, "The file has already been imported.")
        }
        return file
    }

    private func preview(_ file: BankImports.WaitingFile, _ request: ClientRequest) async throws -> BankPreview {
        do {
            return try await BankPreview.make(file, request.member, database, slowWork)
        } catch let failure as BankFileFailure {
            throw Self.problem(failure)
        }
    }

    private static func problem(_ failure: BankFileFailure) -> any Error {
        let detail =
            switch failure {
            case .tooLarge: ""
            case .tooManyBookings: "The file has too many bookings."
            case .unknownFormat: "The file is neither CSV nor CAMT nor MT940."
            case .brokenXML(let line): "The XML is broken in line \(line)."
            case .entities: "XML with entities or a document type is not accepted."
            case .openQuote(let line): "A quotation mark in line \(line) is not closed."
            case .brokenField(let line): "Line \(line) cannot be read."
            case .empty: "The file has no bookings."
            }
        return failure == .tooLarge ? Refusal.tooLarge : APIProblem(.unprocessableContent, .invalidFields, detail)
    }
}
