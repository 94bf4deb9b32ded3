import Domain
import HTTP
import Postgres
import Templates

/// The page that matches new printed names with products.
struct MatchingController: Sendable {
    private let database: Database
    private let catalogues: HouseholdCatalogues
    private let slowWork: SlowWork
    private let matching: NameMatching
    private let page: View<MatchingPage>

    /// The number of cards on one page. Each has one name or similar names.
    private static let pageSize = 12

    init(
        _ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork, _ views: Views
    ) throws {
        self.database = database
        self.catalogues = catalogues
        self.slowWork = slowWork
        matching = NameMatching(database: database, catalogues: catalogues, slowWork: slowWork)
        page = try views.page("matching/index", MatchingPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/matching", "MatchingController.show", show)
        try routes.member(.post, "/matching", "MatchingController.match", match)
        try routes.member(
            .post, "/matching/ignored/{ignored}/removal", "MatchingController.undoIgnoring", undoIgnoring)
        try routes.member(.post, "/matching/bindings/{line}/{product}/removal", "MatchingController.unmatch", unmatch)
        try routes.member(.post, "/matching/new-products", "MatchingController.addAll", addAll)
        try routes.member(.post, "/matching/batches/{batch}/removal", "MatchingController.undo", undo)
    }

    private func show(_ request: MemberRequest) async throws -> Response { try await response(request) }

    private func match(_ request: MemberRequest) async throws -> Response {
        let lines = try request.form.values("alias").prefix(NameMatching.maximumNames).map { text in
            guard let line = ReceiptLineID(text) else { throw Refusal.badRequest }
            return line
        }
        guard let line = lines.first else { return try await noneTicked(request) }
        let choice = try request.form.required("product")
        let answer: NameMatching.Answer
        switch choice {
        case "ignore": answer = .ignored
        case "new":
            let form = typedForm(request, line, ticked: lines)
            if let sentence = TextLimit.problem(form.typedName, TextLimit.productName, page.texts[request.language]) {
                return try await response(request, problem: sentence, refused: form, status: .unprocessableContent)
            }
            answer = .new(name: form.typedName, category: form.category)
        case _ where choice.hasPrefix("group-"):
            guard let group = ComparisonGroupID(choice.dropFirst(6)) else { throw Refusal.badRequest }
            answer = .group(group)
        default:
            guard let product = ProductID(choice) else { throw Refusal.badRequest }
            answer = .product(product)
        }
        do {
            let flash =
                switch try await matching.match(lines, to: answer, by: request.member) {
                case .ignored(let names): Self.ignoringMessage(names)
                case .matched(let product): Flash("matched", undo: "/matching/bindings/\(line)/\(product)/removal")
                case .batch(let batch): Flash("matched", undo: MatchingBatch.undoHref(batch))
                }
            // Keeps the number of skipped cards, because the person may have skipped the cards of earlier pages.
            return .redirect(to: Self.href(skipping: Self.skipped(request))).flashing(flash)
        } catch let conflict as Conflict {
            let words = page.texts[request.language]
            let name = conflict.changes.first?.name ?? ""
            return try await response(
                request, problem: words["server.matching.already", ["name": .text(name)]],
                title: words["server.matching.already-title"], status: .conflict)
        } catch is AlreadyDeleted {
            let words = page.texts[request.language]
            return try await response(
                request, problem: words["server.matching.gone"], title: words["server.form.changed"], status: .conflict)
        } catch let taken as NameMatching.ProductExists {
            var form = typedForm(request, line, ticked: lines)
            form.taken = taken.product
            return try await response(
                request, problem: page.texts[request.language]["server.matching.taken"], refused: form,
                status: .unprocessableContent)
        }
    }

    /// Returns the typed values of a card, to show its form again.
    private func typedForm(
        _ request: MemberRequest, _ line: ReceiptLineID, ticked: [ReceiptLineID]
    ) -> MatchingPage.RefusedForm {
        MatchingPage.RefusedForm(
            line: line, ticked: Set(ticked), typedName: request.form.trimmed("name") ?? "",
            category: request.form.trimmed("category").flatMap { CategoryID($0) })
    }

    /// Shows a card again because none of its spellings was ticked.
    private func noneTicked(_ request: MemberRequest) async throws -> Response {
        guard let card = request.form["card"].flatMap({ ReceiptLineID($0) }) else {
            return .redirect(to: "/matching")
        }
        return try await response(
            request, problem: page.texts[request.language]["server.matching.none-ticked"],
            refused: typedForm(request, card, ticked: []), status: .unprocessableContent)
    }

    private func undoIgnoring(_ request: MemberRequest) async throws -> Response {
        let count = try await matching.undoIgnoring(
            try request.identifier("ignored"), together: request.head.query("together") != nil, by: request.member)
        let flash =
            count > 1 ? Flash("waiting-again", count: count) : Flash(count == 1 ? "asked-again" : "already")
        return .redirect(to: "/matching").flashing(flash)
    }

    /// The message about names that were ignored together. Its undo button applies to all of them.
    private static func ignoringMessage(_ names: [IgnoredNameID]) -> Flash {
        guard let first = names.first else { return Flash("already") }
        let undo = "/matching/ignored/\(first)/removal"
        return names.count == 1
            ? Flash("ignored", undo: undo)
            : Flash("ignored-several", count: names.count, undo: "\(undo)?together=1")
    }

    private func unmatch(_ request: MemberRequest) async throws -> Response {
        let isDone = try await matching.unmatch(
            try request.identifier("line"), from: try request.identifier("product"), by: request.member)
        return .redirect(to: "/matching").flashing(Flash(isDone ? "unmatched" : "already"))
    }

    private func addAll(_ request: MemberRequest) async throws -> Response {
        guard let added = try await matching.addAllNew(by: request.member) else {
            return .redirect(to: "/matching").flashing(Flash("created"))
        }
        return .redirect(to: "/matching").flashing(
            Flash("created", count: added.count, undo: MatchingBatch.undoHref(added.batch)))
    }

    private func undo(_ request: MemberRequest) async throws -> Response {
        let count = try await matching.undo(try request.identifier("batch"), by: request.member)
        return .redirect(to: "/matching").flashing(count > 0 ? Flash("waiting-again", count: count) : Flash("already"))
    }

    /// The number of cards on earlier pages.
    private static func skipped(_ request: MemberRequest) -> Int {
        request.head.query("after").flatMap { Int($0) }.map { max(0, $0) } ?? 0
    }

    private static func href(skipping count: Int) -> String { count == 0 ? "/matching" : "/matching?after=\(count)" }

    private func response(
        _ request: MemberRequest, problem: String? = nil, title: String? = nil,
        refused: MatchingPage.RefusedForm? = nil,
        status: Status = .ok
    ) async throws -> Response {
        let rows = try await database.read(
            request.household,
            batch: [
                WaitingNames.count(request.member), WaitingName.query(request.member, limit: NameMatching.maximumNames),
                IgnoredName.query(request.member), Naming.query(request.household),
                MatchingBatch.newest(request.household),
            ])
        let words = page.texts[request.language]
        var cards: [MatchingPage.Card] = []
        var hasMore = false
        var start = 0
        let names = try WaitingName.decode(rows[1])
        if !names.isEmpty {
            let household = try await catalogues.load(request.household)
            let (language, skipped) = (request.language, Self.skipped(request))
            (cards, hasMore, start) = try await slowWork.run {
                var spellings = WaitingSpellings.all(of: names)
                // If no names are left on this page, shows the first page.
                let start = skipped < spellings.count ? skipped : 0
                if let refused, let index = spellings.firstIndex(where: { $0.has(refused.line) }) {
                    // The refused card comes first, below the message that explains it.
                    spellings.insert(spellings.remove(at: index), at: start)
                }
                let shown = spellings.dropFirst(start).prefix(Self.pageSize)
                return (
                    shown.map { MatchingPage.Card($0, household, words, language, refused: refused) },
                    spellings.count > start + shown.count, start
                )
            }
        }
        let naming = try Naming(rows[3])
        // The message above the page may already offer to undo the same batch. Error pages show no message.
        let undo = status.code < 400 ? request.context.flash?.undo : nil
        let newest = try MatchingBatch.decode(rows[4]).flatMap { MatchingBatch.undoHref($0.id) == undo ? nil : $0 }
        let model = MatchingPage(
            problem: problem.map { Problem(title: title ?? words["server.form.problem"], text: $0) },
            newNames: WaitingCount(names: try rows[0].first(Int64.self) ?? 0), cards: cards,
            formHref: Self.href(skipping: start),
            moreHref: hasMore ? Self.href(skipping: start + cards.count) : nil,
            newest: newest,
            ignored: try IgnoredName.decode(rows[2], naming: naming), hasStores: !naming.all.isEmpty)
        return page.response(model, for: request, status: status)
    }
}
