import Domain
import HTTP
import Templates

/// The import of a table: upload, preview, confirmation.
struct ImportController: Sendable {
    private let files: ImportFiles
    private let slowWork: SlowWork
    private let uploadPage: View<ImportPage>
    private let previewPage: View<ImportPreviewPage>

    init(_ database: Database, _ slowWork: SlowWork, _ views: Views) throws {
        files = ImportFiles(database: database, slowWork: slowWork)
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
            let file = try await UploadedFile.read(request, limit: ImportFiles.maximumBytes)
            return .redirect(to: "/import/\(try await files.store(file.bytes, name: file.name, request.member))")
        } catch let failure as LineItemTable.Failure {
            return refusalPage(request, failure)
        } catch ImportText.Failure.notText {
            return refusalPage(request, "not-csv")
        } catch ImportText.Failure.tooLarge {
            return refusalPage(request, "too-large", status: .contentTooLarge)
        }
    }

    private func preview(_ request: MemberRequest) async throws -> Response {
        guard let file = try await files.find(request.identifier("file"), request.household) else {
            return Self.alreadyDone
        }
        let table = try await files.table(file, request.member)
        let (words, language) = (previewPage.texts[request.language], request.language)
        let model = try await slowWork.run {
            ImportPreviewPage(
                href: "/import/\(file.id)", fileName: file.name, table: table, words: words, language: language)
        }
        return previewPage.response(model, for: request)
    }

    private func confirm(_ request: MemberRequest) async throws -> Response {
        guard let count = try await files.confirm(request.identifier("file"), request.member) else {
            return Self.alreadyDone
        }
        return .redirect(to: "/receipts").flashing(Flash("imported", count: count))
    }

    private func discard(_ request: MemberRequest) async throws -> Response {
        guard try await files.discard(request.identifier("file"), request.household) else { return Self.alreadyDone }
        return .redirect(to: "/import")
    }

    /// The response if the file was already confirmed or discarded.
    private static var alreadyDone: Response { .redirect(to: "/import").flashing(Flash("already")) }

    // MARK: Parts

    private func refusalPage(_ request: MemberRequest, _ failure: LineItemTable.Failure) -> Response {
        let words = uploadPage.texts[request.language]
        switch failure {
        case .unreadable(.tooLarge): return refusalPage(request, "too-large")
        case .unreadable(.badQuote(let line)):
            return refusalPage(request, "open-quote", words["server.import.line", ["count": .number(String(line))]])
        case .empty: return refusalPage(request, "empty")
        case .missingColumns(let columns):
            let names = columns.map { $0.heading(request.language) }.joined(separator: ", ")
            return refusalPage(request, "columns", words["server.import.columns-text", ["names": .text(names)]])
        }
    }

    private func refusalPage(
        _ request: MemberRequest, _ key: String, _ text: String? = nil, status: Status = .unprocessableContent
    ) -> Response {
        let words = uploadPage.texts[request.language]
        let problem = Problem(
            title: words["server.import.\(key)"], text: text ?? words["server.import.\(key)-text"])
        return uploadPage.response(ImportPage(problem: problem), for: request, status: status)
    }
}
