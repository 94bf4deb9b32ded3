import Domain
import HTTP
import JSON
import Templates

/// Uploads pictures and documents.
struct UploadController: Sendable {
    private let quarantine: Quarantine
    private let intake: ReceiptIntake
    private let newPage: View<NewReceiptPage>
    private let uploadedPage: View<UploadedPage>
    private let mailAddress: String?

    /// - Parameter mailAddress: the address to which members send files by mail; nil when mail is not set up.
    init(_ database: Database, _ views: Views, mailAddress: String?) throws {
        self.mailAddress = mailAddress
        quarantine = Quarantine(database: database)
        intake = ReceiptIntake(database: database, quarantine: quarantine)
        newPage = try views.page("receipts/new", NewReceiptPage.self)
        uploadedPage = try views.page("receipts/uploaded", UploadedPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/receipts/new", "UploadController.new", role: .member, new)
        try routes.member(.post, "/receipts", "UploadController.create", body: .stream, create)
        try routes.member(.post, "/receipts/shared", "UploadController.share", body: .stream, share)
        try routes.member(.post, "/receipts/drafts", "UploadController.draft", draft)
    }

    private func new(_ request: MemberRequest) async throws -> Response {
        let replaced = request.head.query("instead").flatMap { ReceiptID($0) }
        return newPage.response(
            NewReceiptPage(
                problem: nil, replaced: try await replaceable(replaced, request), mailAddress: mailAddress),
            for: request)
    }

    /// Returns `receipt` if a new photo may replace it; otherwise nil.
    private func replaceable(_ receipt: ReceiptID?, _ request: MemberRequest) async throws -> ReceiptID? {
        guard let receipt, try await intake.isReplaceable(receipt, request.member) else { return nil }
        return receipt
    }

    /// Creates a receipt that a person types in.
    private func draft(_ request: MemberRequest) async throws -> Response {
        let receipt = try await intake.draft(by: request.member, form: request.sentForm)
        return .redirect(to: "/receipts/\(receipt)/review")
    }

    /// Creates a receipt from each file. Complete files are kept even if a later file fails.
    private func create(_ request: MemberRequest) async throws -> Response {
        guard try await intake.hasRoom(request.household) else { throw Refusal.tooMany }
        request.body.setPace(.upload)
        return try await receive(try await request.multipartForm(limit: UploadLimits.requestBytes), request)
    }

    /// Accepts files that another app of the phone shared, if the service worker did not handle them. Such a form has
    /// no CSRF token. Therefore accepts only requests that the browser itself started: other sites cannot send this
    /// value of `Sec-Fetch-Site` (Fetch Metadata, §2.3).
    private func share(_ request: MemberRequest) async throws -> Response {
        guard request.head.headers[.secFetchSite] == "none" else { throw Refusal.foreignForm }
        guard try await intake.hasRoom(request.household) else { throw Refusal.tooMany }
        request.body.setPace(.upload)
        return try await receive(
            try MultipartReader(request.head, request.body, limit: UploadLimits.requestBytes), request)
    }

    /// Creates a receipt from each file of the form.
    private func receive(_ reader: MultipartReader, _ request: MemberRequest) async throws -> Response {
        var files: [(name: String, outcome: UploadOutcome)] = []
        var replaced: ReceiptID?
        while let part = try await reader.nextPart() {
            if part.name == "instead", part.fileName == nil {
                replaced = ReceiptID(try await reader.value(limit: 200))
            }
            guard part.name == "files", let name = part.fileName else { continue }
            guard files.count < UploadLimits.files else { throw Refusal.tooLarge }
            // A file input in which no file was chosen sends an empty part with an empty file name.
            if let outcome = try await receive(part, reader, replaced, request.member, isUnnamed: name.isEmpty) {
                files.append((name, outcome))
            }
        }
        if !files.isEmpty, files.allSatisfy({ $0.outcome == .refused(.full) }) { throw Refusal.tooMany }
        let response = try await answer(files, replaced, request)
        guard let discarded = files.lazy.compactMap(\.outcome.replaced).first else { return response }
        return response.flashing(Flash("replaced", undo: "/receipts/\(discarded)/restoration"))
    }

    /// Creates a receipt from one file. Returns nil for a file input without a file.
    private func receive(
        _ part: MultipartPart, _ reader: MultipartReader, _ replaced: ReceiptID?, _ member: Member, isUnnamed: Bool
    ) async throws -> UploadOutcome? {
        do {
            let file = try await quarantine.receive(part, reader, member.household)
            return try await intake.register(file, insteadOf: replaced, by: member)
        } catch UploadRefusal.empty where isUnnamed {
            return nil
        } catch let refusal as UploadRefusal {
            return .refused(refusal)
        }
    }

    // MARK: Answers

    private func answer(
        _ files: [(name: String, outcome: UploadOutcome)], _ replaced: ReceiptID?, _ request: MemberRequest
    ) async throws -> Response {
        let status = status(files.map(\.outcome))
        if Negotiation.mediaType(request.head.headers.list(.accept), available: ["text/html", "application/json"])
            == "application/json"
        {
            return json(status, files, request.language)
        }
        let words = newPage.texts[request.language]
        if files.isEmpty {
            let problem = Problem(
                title: words["server.form.choose-file"], text: words["server.form.choose-file-text"])
            let page = NewReceiptPage(
                problem: problem, replaced: try await replaceable(replaced, request), mailAddress: mailAddress)
            return newPage.response(page, for: request, status: status)
        }
        if files.count == 1, let receipt = files[0].outcome.receipt { return .redirect(to: "/receipts/\(receipt)") }
        let progress = UploadedPage.href(files.map(\.outcome))
        // Refused files are listed only on this page. If there are none, the page with the reading progress follows.
        if let progress, !files.contains(where: \.outcome.isRefused) { return .redirect(to: progress) }
        let page = UploadedPage(
            files: files.map { file in
                UploadedPage.File(
                    name: file.name, outcome: file.outcome,
                    status: file.outcome.isArrived
                        ? words["server.step.arrived"] : sentence(file.outcome, request.language),
                    isReading: file.outcome.isArrived)
            }, progressHref: progress)
        return uploadedPage.response(page, for: request, status: status == .created ? .ok : status)
    }

    /// Returns 201 if a file was accepted, otherwise the status of the first refusal.
    private func status(_ outcomes: [UploadOutcome]) -> Status {
        if outcomes.contains(where: { $0.receipt != nil }) { return .created }
        guard case .refused(let refusal)? = outcomes.first else { return .unprocessableContent }
        return refusal.status
    }

    /// The accepted files as JSON; a problem document (RFC 9457) when there are none.
    private func json(
        _ status: Status, _ files: [(name: String, outcome: UploadOutcome)], _ language: Language
    ) -> Response {
        var json = JSONWriter()
        guard files.contains(where: { $0.outcome.receipt != nil }) else {
            let refused = files.first { $0.outcome.isRefused }
            json.object { json in
                json.member(
                    "title",
                    refused.map { sentence($0.outcome, language) }
                        ?? newPage.texts[language]["server.form.choose-file"])
                json.member("status", Int64(status.code))
            }
            return Response(
                status, headers: ["Content-Type": "application/problem+json"], body: .bytes(json.bytes))
        }
        json.object { json in
            json.array("receipts") { json in
                for file in files {
                    guard let receipt = file.outcome.receipt else { continue }
                    json.object { json in
                        json.member("href", "/receipts/\(receipt)")
                        json.member("name", file.name)
                        json.member("isDuplicate", file.outcome.isDuplicate)
                    }
                }
            }
        }
        return .json(status, json.bytes)
    }

    private func sentence(_ outcome: UploadOutcome, _ language: Language) -> String {
        guard case .refused(let refusal) = outcome else { return "" }
        return refusal.sentence(newPage.texts[language])
    }
}
