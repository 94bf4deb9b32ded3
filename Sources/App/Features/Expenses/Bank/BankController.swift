import Domain
import HTTP
import Templates

/// Bank files: upload, choice of the columns, preview, import and undo. Each person sees only their own files.
struct BankController: Sendable {
    private let database: Database
    private let slowWork: SlowWork
    private let imports: BankImports
    private let confirmation: BankConfirmation
    private let uploadPage: View<BankUploadPage>
    private let columnsPage: View<BankColumnsPage>
    private let previewPage: View<BankPreviewPage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        self.database = database
        self.slowWork = slowWork
        imports = BankImports(database: database, slowWork: slowWork)
        confirmation = BankConfirmation(database: database)
        uploadPage = try views.page("expenses/bank", BankUploadPage.self)
        columnsPage = try views.page("expenses/bank-columns", BankColumnsPage.self)
        previewPage = try views.page("expenses/bank-preview", BankPreviewPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/bank-files", "BankController.new", role: .member, new)
        try routes.member(.post, "/bank-files", "BankController.upload", body: .stream, upload)
        try routes.member(.get, "/bank-files/{bank}", "BankController.preview", role: .member, preview)
        try routes.member(.get, "/bank-files/{bank}/columns", "BankController.columns", role: .member, columns)
        try routes.member(.post, "/bank-files/{bank}/columns", "BankController.map", map)
        try routes.member(
            .post, "/bank-files/{bank}/confirmation", "BankController.confirm",
            body: .longForm(bytes: 131_072, fields: 1_200), confirm)
        try routes.member(.post, "/bank-files/{bank}/discard", "BankController.discard", discard)
        try routes.member(.post, "/bank-files/{bank}/removal", "BankController.undo", undo)
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        uploadPage.response(try await model(request), for: request)
    }

    private func upload(_ request: MemberRequest) async throws -> Response {
        do {
            let file = try await UploadedFile.read(request, limit: BankFileLimits.maximumBytes)
            let id = try await imports.store(
                file.bytes, name: file.name, account: file.fields["account"] ?? "",
                isPersonal: file.fields["personal"] != nil, request.member)
            return .redirect(to: "/bank-files/\(id)")
        } catch let failure as BankFileFailure {
            return try await refusalPage(failure, request)
        } catch ImportText.Failure.notText {
            return try await refusalPage(.unknownFormat, request)
        } catch ImportText.Failure.tooLarge {
            return try await refusalPage(.tooLarge, request)
        }
    }

    private func preview(_ request: MemberRequest) async throws -> Response {
        guard let file = try await imports.find(request.identifier("bank"), request.member) else {
            return Self.alreadyDone
        }
        do {
            let preview = try await BankPreview.make(file, request.member, database, slowWork)
            guard preview.statement != nil else { return .redirect(to: "/bank-files/\(file.id)/columns") }
            return previewPage.response(
                BankPreviewPage(
                    file: file, preview: preview,
                    days: previewPage.days(request)),
                for: request)
        } catch let failure as BankFileFailure {
            return try await refusalPage(failure, request)
        }
    }

    private func columns(_ request: MemberRequest) async throws -> Response {
        guard let file = try await imports.find(request.identifier("bank"), request.member) else {
            return Self.alreadyDone
        }
        guard let model = try await columnsModel(file, request) else {
            return .redirect(to: "/bank-files/\(file.id)")
        }
        return columnsPage.response(model, for: request)
    }

    private func map(_ request: MemberRequest) async throws -> Response {
        guard let file = try await imports.find(request.identifier("bank"), request.member) else {
            return Self.alreadyDone
        }
        guard var model = try await columnsModel(file, request) else {
            return .redirect(to: "/bank-files/\(file.id)")
        }
        let roles = try model.columns.roles.indices.map { index in
            guard let role = BankColumns.Role(rawValue: request.form["column-\(index)"] ?? "ignored") else {
                throw Refusal.badRequest
            }
            return role
        }
        guard BankColumns(roles).isComplete else {
            let words = columnsPage.words(request)
            model.columns = BankColumns(roles)
            model.problem = Problem(title: words["server.form.problem"], text: words["server.bank.columns-missing"])
            return columnsPage.response(model, for: request, status: .unprocessableContent)
        }
        try await imports.assignRoles(of: file, roles, request.member)
        return .redirect(to: "/bank-files/\(file.id)")
    }

    private func confirm(_ request: MemberRequest) async throws -> Response {
        guard let file = try await imports.find(request.identifier("bank"), request.member) else {
            return Self.alreadyDone
        }
        var decisions: [Int: BankPreview.Decision] = [:]
        for field in request.form.fields where field.name.hasPrefix("row-") {
            guard let index = Int(field.name.dropFirst(4)), let decision = BankPreview.Decision(rawValue: field.value)
            else { throw Refusal.badRequest }
            decisions[index] = decision
        }
        do {
            let preview = try await BankPreview.make(file, request.member, database, slowWork)
            // Link a booking only to the entry that the page showed.
            for (index, decision) in decisions where decision == .link {
                guard let shown = request.form["match-\(index)"], preview.rows.indices.contains(index),
                    preview.rows[index].match?.candidate.id.description == shown
                else { throw BankConfirmation.StalePreview() }
            }
            // A matched booking that the page did not show is left for the next import of the file.
            for (index, row) in preview.rows.enumerated() where row.match != nil && decisions[index] == nil {
                decisions[index] = .skip
            }
            guard !BankConfirmation.chosen(preview, decisions).isEmpty else {
                return .redirect(to: "/bank-files/\(file.id)").flashing(Flash("bank-nothing"))
            }
            let suggestions = try await ExpenseSuggestions.load(request.member, database)
            let counts = try await confirmation.confirm(
                file.id, isPersonal: file.isPersonal, preview, decisions, suggestions,
                unnamed: previewPage.words(request)["server.bank.unnamed"], by: request.member)
            guard let counts else { return Self.alreadyDone }
            return .redirect(to: "/bank-files").flashing(
                Flash(
                    "bank-imported", count: counts.createdCount + counts.linkedCount,
                    undo: "/bank-files/\(file.id)/removal"))
        } catch is BankConfirmation.StalePreview {
            return .redirect(to: "/bank-files/\(file.id)").flashing(Flash("bank-changed"))
        } catch let failure as BankFileFailure {
            return try await refusalPage(failure, request)
        }
    }

    private func discard(_ request: MemberRequest) async throws -> Response {
        guard try await imports.discard(request.identifier("bank"), request.member) else { return Self.alreadyDone }
        return .redirect(to: "/bank-files").flashing(Flash("bank-discarded"))
    }

    private func undo(_ request: MemberRequest) async throws -> Response {
        let isUndone = try await confirmation.undo(request.identifier("bank"), by: request.member)
        return .redirect(to: "/bank-files").flashing(Flash(isUndone ? "bank-undone" : "already"))
    }

    /// The response if the file was already imported or discarded.
    private static var alreadyDone: Response { .redirect(to: "/bank-files").flashing(Flash("already")) }

    // MARK: Parts

    private func model(_ request: MemberRequest) async throws -> BankUploadPage {
        let days = uploadPage.days(request)
        let pairs = try await database.read(request.household, BankPair.query(.newest, request.member))
        return BankUploadPage(
            waiting: try await imports.waitingFiles(request.member),
            imported: try await imports.importedFiles(request.member),
            accounts: try await imports.accounts(request.member),
            pairs: try BankPair.probable(pairs).map {
                BankPairRow(pair: $0, back: BankPairRow.listPath, days: days)
            }, words: days.words, language: request.language)
    }

    /// Returns nil if the file is not a table.
    private func columnsModel(
        _ file: BankImports.WaitingFile, _ request: MemberRequest
    ) async throws -> BankColumnsPage? {
        guard BankFile.format(of: file.text) == .csv else { return nil }
        let table = try await slowWork.run { try BankTable(file.text) }
        let mapping = file.mappings[BankImports.digest(table.source)]
        let columns = mapping.flatMap { $0.roles.count == table.columns.roles.count ? $0 : nil } ?? table.columns
        return BankColumnsPage(file: file, table: table, columns: columns, words: columnsPage.words(request))
    }

    private func refusalPage(_ failure: BankFileFailure, _ request: MemberRequest) async throws -> Response {
        let words = uploadPage.words(request)
        func line(_ key: String, _ line: Int) -> Problem {
            Problem(
                title: words["server.bank.\(key)"],
                text: words["server.bank.\(key)-text", ["count": .number(String(line))]])
        }
        func plain(_ key: String) -> Problem {
            Problem(title: words["server.bank.\(key)"], text: words["server.bank.\(key)-text"])
        }
        var model = try await model(request)
        model.problem =
            switch failure {
            case .tooLarge: plain("too-large")
            case .tooManyBookings: plain("too-many")
            case .unknownFormat: plain("unknown")
            case .brokenXML(let number): line("broken-xml", number)
            case .entities: plain("entities")
            case .openQuote(let number): line("open-quote", number)
            case .brokenField(let number): line("broken-field", number)
            case .empty: plain("empty")
            }
        let status: Status = failure == .tooLarge ? .contentTooLarge : .unprocessableContent
        return uploadPage.response(model, for: request, status: status)
    }
}
