import Domain
import HTTP
import Postgres
import Templates

/// The page where new printed names are bound to products.
struct MatchingController: Sendable {
    private let database: Database
    private let catalogues: HouseholdCatalogues
    private let slowWork: SlowWork
    private let binding: NameBinding
    private let page: View<MatchingPage>

    /// Names per page.
    private static let pageSize = 20

    init(
        _ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork, _ views: Views
    ) throws {
        self.database = database
        self.catalogues = catalogues
        self.slowWork = slowWork
        binding = NameBinding(database: database, catalogues: catalogues, slowWork: slowWork)
        page = try views.page("matching/index", MatchingPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/matching", "MatchingController.show", show)
        try routes.member(.post, "/matching", "MatchingController.bind", bind)
        try routes.member(
            .post, "/matching/ignored/{ignored}/removal", "MatchingController.askAgain", askAgain)
        try routes.member(.post, "/matching/bindings/{line}/{product}/removal", "MatchingController.unbind", unbind)
        try routes.member(.post, "/matching/new-products", "MatchingController.addAll", addAll)
    }

    private func show(_ request: MemberRequest) async throws -> Response { try await response(request) }

    private func bind(_ request: MemberRequest) async throws -> Response {
        guard let line = ReceiptLineID(try request.form.required("alias")) else { throw Refusal.badRequest }
        let choice = try request.form.required("product")
        let answer: NameBinding.Answer
        switch choice {
        case "ignore": answer = .ignored
        case "new":
            let typed = typed(request, line)
            if let sentence = TextLimit.problem(typed.typed, TextLimit.productName, page.texts[request.language]) {
                return try await response(request, problem: sentence, refused: typed, status: .unprocessableContent)
            }
            answer = .new(name: typed.typed, category: typed.category)
        case _ where choice.hasPrefix("group-"):
            guard let group = ComparisonGroupID(choice.dropFirst(6)) else { throw Refusal.badRequest }
            answer = .group(group)
        default:
            guard let product = ProductID(choice) else { throw Refusal.badRequest }
            answer = .product(product)
        }
        do {
            let flash =
                switch try await binding.bind(line, to: answer, by: request.member) {
                case .ignored(let id): Flash("ignored", undo: "/matching/ignored/\(id)/removal")
                case .bound(let product): Flash("bound", undo: "/matching/bindings/\(line)/\(product)/removal")
                }
            return .redirect(to: "/matching").flashing(flash)
        } catch let error as BindingError {
            return try await refused(request, error, line)
        }
    }

    private func typed(_ request: MemberRequest, _ line: ReceiptLineID) -> MatchingPage.Refused {
        MatchingPage.Refused(
            line: line, typed: request.form.trimmed("name") ?? "",
            category: request.form.trimmed("category").flatMap { CategoryID($0) })
    }

    /// The page with a message about what changed, or with the product that has the typed name.
    private func refused(
        _ request: MemberRequest, _ error: BindingError, _ line: ReceiptLineID
    ) async throws -> Response {
        let words = page.texts[request.language]
        switch error {
        case .alreadyDone(let printed):
            return try await response(
                request, problem: words["server.matching.already", ["name": .text(printed)]],
                title: words["server.matching.already-title"], status: .conflict)
        case .productGone:
            return try await response(
                request, problem: words["server.matching.gone"], title: words["server.form.changed"], status: .conflict)
        case .nameTaken(let product):
            var typed = typed(request, line)
            typed.taken = product
            return try await response(
                request, problem: words["server.matching.taken"], refused: typed, status: .unprocessableContent)
        }
    }

    private func askAgain(_ request: MemberRequest) async throws -> Response {
        let isNew = try await binding.ask(again: try request.identifier("ignored"), by: request.member)
        return .redirect(to: "/matching").flashing(Flash(isNew ? "asked-again" : "already"))
    }

    private func unbind(_ request: MemberRequest) async throws -> Response {
        let isDone = try await binding.unbind(
            try request.identifier("line"), from: try request.identifier("product"), by: request.member)
        return .redirect(to: "/matching").flashing(Flash(isDone ? "unbound" : "already"))
    }

    private func addAll(_ request: MemberRequest) async throws -> Response {
        let count = try await binding.addAllWithoutSuggestion(by: request.member)
        return .redirect(to: "/matching").flashing(Flash("created", count: count))
    }

    private func response(
        _ request: MemberRequest, problem: String? = nil, title: String? = nil,
        refused: MatchingPage.Refused? = nil,
        status: Status = .ok
    ) async throws -> Response {
        let rows = try await database.read(
            request.household,
            batch: [
                WaitingNames.count(request.member), WaitingName.query(request.member, limit: Self.pageSize),
                IgnoredName.query(request.member), Naming.query(request.household),
            ])
        var names = try WaitingName.decode(rows[1])
        if let refused {
            // The refused name comes first, also if it would be on a later page.
            let name = try await database.read(request.household, WaitingName.find([refused.line], request.member))
            names.removeAll { $0.line == refused.line }
            names = try WaitingName.decode(name) + names
        }
        let words = page.texts[request.language]
        var cards: [MatchingPage.Card] = []
        if !names.isEmpty {
            let shown = names
            let household = try await catalogues.load(request.household)
            let language = request.language
            cards = try await slowWork.run {
                shown.map { MatchingPage.Card($0, household, words, language, refused: refused) }
            }
        }
        let model = MatchingPage(
            problem: problem.map { Problem(title: title ?? words["server.form.problem"], text: $0) },
            unnamed: Waiting(names: try rows[0].first(Int64.self) ?? 0), cards: cards,
            ignored: try IgnoredName.decode(rows[2], naming: try Naming(rows[3])))
        return page.response(model, for: request, status: status)
    }
}
