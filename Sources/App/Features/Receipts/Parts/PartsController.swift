import Domain
import HTTP
import Postgres
import Templates

/// Joins photos of one receipt, and separates two receipts in one photo.
struct PartsController: Sendable {
    private let queries: StoredReceiptQueries
    private let endedReceipts: EndedReceipts
    private let joins: ReceiptJoining
    private let undo: JoinUndo
    private let separation: ReceiptSeparation
    private let joinPage: View<ReceiptJoinPage>
    private let separationPage: View<ReceiptSeparationPage>

    init(_ database: Database, _ views: Views) throws {
        queries = StoredReceiptQueries(database: database)
        endedReceipts = EndedReceipts(database: database)
        joins = ReceiptJoining(database: database)
        undo = JoinUndo(database: database)
        separation = ReceiptSeparation(database: database)
        joinPage = try views.page("receipts/join", ReceiptJoinPage.self)
        separationPage = try views.page("receipts/split", ReceiptSeparationPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/receipts/joins/new", "PartsController.chooseJoin", role: .member, chooseJoin)
        try routes.member(.post, "/receipts/joins", "PartsController.join", join)
        try routes.member(
            .post, "/receipts/{receipt}/join/removal", "PartsController.undoJoin",
            endedReceipts.redirects.wrap(undoJoin))
        try routes.member(
            .get, "/receipts/{receipt}/splits/new", "PartsController.chooseSeparation", role: .member,
            endedReceipts.redirects.wrap(chooseSeparation))
        try routes.member(
            .post, "/receipts/{receipt}/splits", "PartsController.separate",
            body: .longForm(bytes: 1 << 20, fields: 20_000), endedReceipts.redirects.wrap(separate))
    }

    // MARK: Joining

    private func chooseJoin(_ request: MemberRequest) async throws -> Response {
        let first = request.head.query("receipt").flatMap { ReceiptID($0) }
        return joinPage.response(
            try await page(request, chosen: first.map { [$0] } ?? [], positions: [:]), for: request)
    }

    private func join(_ request: MemberRequest) async throws -> Response {
        let chosen = request.form.values("receipt").compactMap { ReceiptID($0) }
        var positions: [ReceiptID: String] = [:]
        for id in chosen { positions[id] = request.form.trimmed("position-\(id)") }
        guard Set(chosen).count > 1 else {
            return try await refusalPage("two", .unprocessableContent, request, chosen, positions)
        }
        guard Set(chosen).count <= ReceiptJoining.maximumParts else {
            return try await refusalPage("many", .unprocessableContent, request, chosen, positions)
        }
        // Receipts without a number from the person come last. Receipts with equal numbers keep the order of the page.
        let order = chosen.enumerated().sorted { left, right in
            let (first, second) = (
                positions[left.element].flatMap(Int.init), positions[right.element].flatMap(Int.init)
            )
            return (first ?? .max, left.offset) < (second ?? .max, right.offset)
        }.map(\.element)
        do {
            let agreed = request.form.values("agreed").compactMap { ReceiptID($0) }
            try await joins.join(order, agreed: Set(agreed), request.member)
        } catch let question as ReceiptJoining.Question {
            return try await ask(question, request, chosen, positions)
        } catch let refusal as Refusal where refusal.status == .contentTooLarge {
            return try await refusalPage("many", .unprocessableContent, request, chosen, positions)
        } catch let refusal as Refusal where refusal.status == .conflict {
            if let joined = try await joins.earlierResult(of: order, endedReceipts, request.member) {
                return .redirect(to: "/receipts/\(joined)").flashing(Flash("already"))
            }
            return try await refusalPage("meanwhile", .conflict, request, chosen, positions)
        }
        return .redirect(to: "/receipts/\(order[0])").flashing(
            Flash("joined", undo: "/receipts/\(order[0])/join/removal"))
    }

    /// Shows the page with the question that the person has to answer before the receipts are joined.
    private func ask(
        _ question: ReceiptJoining.Question, _ request: MemberRequest, _ chosen: [ReceiptID],
        _ positions: [ReceiptID: String]
    ) async throws -> Response {
        guard !question.differences.isEmpty else {
            return try await refusalPage(
                "corrected", .unprocessableContent, request, chosen, positions, isQuestion: true)
        }
        let words = joinPage.texts[request.language]
        var sentences = question.differences.map { words["server.joins.differ-\($0.rawValue)"] }
        if question.mayLoseCorrections { sentences.append(words["server.joins.corrected"] + ".") }
        let problem = Problem(
            title: words["server.joins.differ"],
            text: words["server.joins.differ-text", ["reasons": .text(sentences.joined(separator: " "))]])
        return joinPage.response(
            try await page(request, problem, chosen: chosen, positions: positions, isQuestion: true), for: request,
            status: .unprocessableContent)
    }

    private func undoJoin(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        switch try await undo.run(id, request.member) {
        case .undone: return .redirect(to: "/receipts").flashing(Flash("parted"))
        case .nothingToUndo: return .redirect(to: "/receipts/\(id)").flashing(Flash("already"))
        }
    }

    /// Shows the page for joining receipts again with a message.
    private func refusalPage(
        _ key: String, _ status: Status, _ request: MemberRequest, _ chosen: [ReceiptID],
        _ positions: [ReceiptID: String], isQuestion: Bool = false
    ) async throws -> Response {
        let words = joinPage.texts[request.language]
        let problem = Problem(
            title: words["server.joins.\(key)"],
            text: words["server.joins.\(key)-text", ["count": .number(String(ReceiptJoining.maximumParts))]])
        return joinPage.response(
            try await page(request, problem, chosen: chosen, positions: positions, isQuestion: isQuestion),
            for: request,
            status: status)
    }

    /// The receipt from which the page was opened comes first; the other receipts follow in the order of upload.
    private func page(
        _ request: MemberRequest, _ problem: Problem? = nil, chosen: [ReceiptID], positions: [ReceiptID: String],
        isQuestion: Bool = false
    ) async throws -> ReceiptJoinPage {
        let stored = try await joins.candidates(request.member)
        let candidates = stored.filter { chosen.first == $0.id } + stored.filter { chosen.first != $0.id }
        let (words, today) = (joinPage.texts[request.language], WallClock.today())
        return ReceiptJoinPage(
            problem: problem, isQuestion: isQuestion,
            candidates: candidates.enumerated().map { index, receipt in
                ReceiptJoinPage.Candidate(
                    row: ReceiptRow(
                        receipt: receipt, words: words, language: request.language, today: today,
                        reader: request.member.person),
                    position: positions[receipt.id] ?? String(index + 1), isChosen: chosen.contains(receipt.id),
                    isAgreed: isQuestion && chosen.contains(receipt.id))
            })
    }

    // MARK: Separating

    private func chooseSeparation(_ request: MemberRequest) async throws -> Response {
        let receipt = try await queries.receipt(try request.identifier("receipt"), request.member)
        if receipt.stage == .reading { return .redirect(to: "/receipts/\(receipt.id)") }
        return separationPage.response(
            ReceiptSeparationPage(
                problem: nil, receipt: receipt, chosenLines: [], chosenPages: [], language: request.language),
            for: request)
    }

    private func separate(_ request: MemberRequest) async throws -> Response {
        let id: ReceiptID = try request.identifier("receipt")
        let revision = try request.form.revision()
        let choice = ReceiptSeparation.Choice(
            lines: request.form.values("line").compactMap { ReceiptLineID($0) },
            pages: request.form.values("page").compactMap { Int32($0) }.filter { $0 > 0 }.map { $0 - 1 })
        do {
            switch try await separation.separate(id, choice, revision: revision, request.member) {
            case .separated(let second): return .redirect(to: "/receipts/\(second)/review").flashing(Flash("separated"))
            case .already(let second): return .redirect(to: "/receipts/\(second)").flashing(Flash("already"))
            case .isReading: return .redirect(to: "/receipts/\(id)")
            case .nothing: return try await refusalPage("nothing", .unprocessableContent, id, choice, request)
            }
        } catch is Conflict {
            return try await refusalPage("changed", .conflict, id, choice, request)
        }
    }

    /// Shows the page for separating a receipt again with a message.
    private func refusalPage(
        _ key: String, _ status: Status, _ id: ReceiptID, _ choice: ReceiptSeparation.Choice, _ request: MemberRequest
    ) async throws -> Response {
        let words = separationPage.texts[request.language]
        let page = ReceiptSeparationPage(
            problem: Problem(title: words["server.splits.\(key)"], text: words["server.splits.\(key)-text"]),
            receipt: try await queries.receipt(id, request.member), chosenLines: Set(choice.lines.map(\.description)),
            chosenPages: Set(choice.pages), language: request.language)
        return separationPage.response(page, for: request, status: status)
    }
}
