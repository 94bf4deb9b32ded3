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
        try routes.member(.post, "/matching", "MatchingController.bind", bind)
        try routes.member(
            .post, "/matching/ignored/{ignored}/removal", "MatchingController.undoIgnoring", undoIgnoring)
        try routes.member(.post, "/matching/bindings/{line}/{product}/removal", "MatchingController.unbind", unbind)
        try routes.member(.post, "/matching/new-products", "MatchingController.addAll", addAll)
        try routes.member(.post, "/matching/batches/{batch}/removal", "MatchingController.undo", undo)
    }

    private func show(_ request: MemberRequest) async throws -> Response { try await response(request) }

    private func bind(_ request: MemberRequest) async throws -> Response {
        let lines = try request.form.values("alias").prefix(NameMatching.mostNames).map { text in
            guard let line = ReceiptLineID(text) else { throw Refusal.badRequest }
            return line
        }
        // All spellings were unticked.
        guard let line = lines.first else { return .redirect(to: "/matching") }
        let choice = try request.form.required("product")
        let answer: NameMatching.Answer
        switch choice {
        case "ignore": answer = .ignored
        case "new":
            let form = typedForm(request, line)
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
                switch try await matching.bind(lines, to: answer, by: request.member) {
                case .ignored(let id): Flash("ignored", undo: "/matching/ignored/\(id)/removal")
                case .bound(let product): Flash("bound", undo: "/matching/bindings/\(line)/\(product)/removal")
                case .batch(let batch): Flash("bound", undo: "/matching/batches/\(batch)/removal")
                case nil: Flash("ignored")
                }
            return .redirect(to: "/matching").flashing(flash)
        } catch let conflict as Conflict {
            let words = page.texts[request.language]
            let name = conflict.changes.first?.name ?? ""
            return try await response(
                request, problem: words["server.matching.already", ["name": .text(name)]],
                title: words["server.matching.already-title"], status: .conflict)
        } catch is Ended {
            let words = page.texts[request.language]
            return try await response(
                request, problem: words["server.matching.gone"], title: words["server.form.changed"], status: .conflict)
        } catch let taken as NameMatching.ProductExists {
            var form = typedForm(request, line)
            form.taken = taken.product
            return try await response(
                request, problem: page.texts[request.language]["server.matching.taken"], refused: form,
                status: .unprocessableContent)
        }
    }

    /// Returns the typed values of a card, to show its form again.
    private func typedForm(_ request: MemberRequest, _ line: ReceiptLineID) -> MatchingPage.RefusedForm {
        MatchingPage.RefusedForm(
            line: line, typedName: request.form.trimmed("name") ?? "",
            category: request.form.trimmed("category").flatMap { CategoryID($0) })
    }

    private func undoIgnoring(_ request: MemberRequest) async throws -> Response {
        let isNew = try await matching.undoIgnoring(try request.identifier("ignored"), by: request.member)
        return .redirect(to: "/matching").flashing(Flash(isNew ? "asked-again" : "already"))
    }

    private func unbind(_ request: MemberRequest) async throws -> Response {
        let isDone = try await matching.unbind(
            try request.identifier("line"), from: try request.identifier("product"), by: request.member)
        return .redirect(to: "/matching").flashing(Flash(isDone ? "unbound" : "already"))
    }

    private func addAll(_ request: MemberRequest) async throws -> Response {
        guard let added = try await matching.addAllNew(by: request.member) else {
            return .redirect(to: "/matching").flashing(Flash("created"))
        }
        return .redirect(to: "/matching").flashing(
            Flash("created", count: added.count, undo: "/matching/batches/\(added.batch)/removal"))
    }

    private func undo(_ request: MemberRequest) async throws -> Response {
        let count = try await matching.undo(try request.identifier("batch"), by: request.member)
        return .redirect(to: "/matching").flashing(count > 0 ? Flash("waiting-again", count: count) : Flash("already"))
    }

    private func response(
        _ request: MemberRequest, problem: String? = nil, title: String? = nil,
        refused: MatchingPage.RefusedForm? = nil,
        status: Status = .ok
    ) async throws -> Response {
        let rows = try await database.read(
            request.household,
            batch: [
                WaitingNames.count(request.member), WaitingName.query(request.member, limit: NameMatching.mostNames),
                IgnoredName.query(request.member), Naming.query(request.household),
                MatchingBatch.newest(request.household),
            ])
        let skipped = request.head.query("after").flatMap { Int($0) }.map { max(0, $0) } ?? 0
        let words = page.texts[request.language]
        var cards: [MatchingPage.Card] = []
        var hasMore = false
        let names = try WaitingName.decode(rows[1])
        if !names.isEmpty {
            let household = try await catalogues.load(request.household)
            let language = request.language
            (cards, hasMore) = try await slowWork.run {
                var spellings = WaitingSpellings.all(of: names)
                if let refused, let index = spellings.firstIndex(where: { $0.has(refused.line) }) {
                    // The refused card comes first, below the message that explains it.
                    spellings.insert(spellings.remove(at: index), at: 0)
                }
                let shown = spellings.dropFirst(skipped).prefix(Self.pageSize)
                return (
                    shown.map { MatchingPage.Card($0, household, words, language, refused: refused) },
                    spellings.count > skipped + shown.count
                )
            }
        }
        let model = MatchingPage(
            problem: problem.map { Problem(title: title ?? words["server.form.problem"], text: $0) },
            newNames: WaitingCount(names: try rows[0].first(Int64.self) ?? 0), cards: cards,
            moreHref: hasMore ? "/matching?after=\(skipped + cards.count)" : nil,
            newest: try MatchingBatch.decode(rows[4]),
            ignored: try IgnoredName.decode(rows[2], naming: try Naming(rows[3])))
        return page.response(model, for: request, status: status)
    }
}
