import Domain
import HTTP
import Postgres
import Templates

/// One comparison group: its name, its unit, its products.
struct GroupController: Sendable {
    private let database: Database
    private let catalogues: HouseholdCatalogues
    private let slowWork: SlowWork
    private let edits: GroupEdits
    private let products: ProductListQueries
    private let page: View<GroupPage>

    init(
        _ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork, _ views: Views
    ) throws {
        self.database = database
        self.catalogues = catalogues
        self.slowWork = slowWork
        edits = GroupEdits(database: database)
        products = ProductListQueries(database: database, slowWork: slowWork)
        page = try views.page("compare/group", GroupPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/compare/groups/new", "GroupController.new", role: .member, new)
        try routes.member(.post, "/compare/groups", "GroupController.create", create)
        try routes.member(.get, "/compare/groups/{group}", "GroupController.show", show)
        try routes.member(.post, "/compare/groups/{group}", "GroupController.update", update)
        try routes.member(.post, "/compare/groups/{group}/removal", "GroupController.remove", remove)
    }

    private func new(_ request: MemberRequest) async throws -> Response { try await response(request, nil) }

    private func show(_ request: MemberRequest) async throws -> Response {
        try await response(request, try request.identifier("group"))
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        let form = try GroupForm(request.form)
        if form.isSearch { return try await response(request, nil, form: form) }
        guard let error = try await error(in: form, request) else {
            do {
                _ = try await edits.create(
                    name: form.name, unit: form.unit, products: form.products, by: request.member)
                return .redirect(to: "/compare").flashing(Flash("saved"))
            } catch GroupError.nameTaken {
                return try await refused(
                    request, nil, form, .name(page.texts[request.language]["server.form.name-taken"]))
            }
        }
        return try await refused(request, nil, form, error)
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let id: ComparisonGroupID = try request.identifier("group")
        let form = try GroupForm(request.form)
        if form.isSearch {
            return try await unlessRemoved(id, request) { try await response(request, id, form: form) }
        }
        guard let error = try await error(in: form, request) else {
            do {
                try await edits.update(
                    id, name: form.name, unit: form.unit, products: form.products, shown: form.shown,
                    revision: form.revision, by: request.member)
                return .redirect(to: "/compare").flashing(Flash("saved"))
            } catch GroupError.nameTaken {
                return try await refused(
                    request, id, form, .name(page.texts[request.language]["server.form.name-taken"]))
            } catch GroupError.alreadyDone {
                return .redirect(to: "/compare").flashing(Flash("group-gone"))
            } catch GroupError.changedMeanwhile {
                return try await changed(request, id, form)
            }
        }
        return try await unlessRemoved(id, request) { try await refused(request, id, form, error) }
    }

    /// A page of a comparison, or the list where somebody else dissolved it.
    private func unlessRemoved(
        _ id: ComparisonGroupID, _ request: MemberRequest, _ page: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await page()
        } catch let refusal as Refusal where refusal.status == .notFound {
            guard try await edits.wasRemoved(id, request.household) else { throw refusal }
            return .redirect(to: "/compare").flashing(Flash("group-gone"))
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: ComparisonGroupID = try request.identifier("group")
        guard let revision = try request.form.revision() else { throw Refusal.badRequest }
        do {
            try await edits.remove(id, revision: revision, by: request.member)
        } catch GroupError.alreadyDone {
            return .redirect(to: "/compare").flashing(Flash("already"))
        } catch GroupError.changedMeanwhile {
            return try await changed(request, id)
        }
        return .redirect(to: "/compare").flashing(Flash("group-removed"))
    }

    // MARK: Parts

    /// What is wrong with a form: beside its field, or above.
    private enum FormError {
        case name(String)
        case whole(String)
    }

    /// A comparison without a product, or in a unit that none of its products has a price in, would be an empty row.
    private func error(in form: GroupForm, _ request: MemberRequest) async throws -> FormError? {
        let words = page.texts[request.language]
        if let sentence = form.error(words) { return .name(sentence) }
        guard !form.products.isEmpty else { return .whole(words["server.group.empty"]) }
        let household = try await catalogues.load(request.household)
        let units = Set(form.products.compactMap { household.products[$0]?.price?.base?.unit })
        guard !units.isEmpty, !units.contains(form.unit.unit.base) else { return nil }
        let known = units.map { $0.symbol(request.language) }.sorted().joined(separator: ", ")
        return .whole(
            words[
                "server.group.unit",
                ["unit": .text(form.unit.unit.symbol(request.language)), "known": .text(known)]])
    }

    private func refused(
        _ request: MemberRequest, _ id: ComparisonGroupID?, _ form: GroupForm, _ error: FormError
    ) async throws -> Response {
        let words = page.texts[request.language]
        let title = words["server.form.problem"]
        switch error {
        case .name(let sentence):
            return try await response(
                request, id, form: form, nameError: sentence,
                problem: Problem(title: title, text: words["server.form.problem-text"]), status: .unprocessableContent)
        case .whole(let sentence):
            return try await response(
                request, id, form: form, problem: Problem(title: title, text: sentence), status: .unprocessableContent)
        }
    }

    /// The group as it stands now, with what was typed in its fields.
    private func changed(
        _ request: MemberRequest, _ id: ComparisonGroupID, _ form: GroupForm? = nil
    ) async throws -> Response {
        let words = page.texts[request.language]
        return try await response(
            request, id, form: form,
            problem: Problem(title: words["server.form.changed"], text: words["server.form.changed-text"]),
            status: .conflict)
    }

    private func response(
        _ request: MemberRequest, _ id: ComparisonGroupID?, form: GroupForm? = nil, nameError: String? = nil,
        problem: Problem? = nil, status: Status = .ok
    ) async throws -> Response {
        let household = try await catalogues.load(request.household)
        let search = form?.search ?? (request.head.query("search") ?? "").trimmed.cut(to: TextLimit.search)
        var revision: Int64 = 1
        if let id {
            guard household.groups[id] != nil,
                let stored = try await database.read(
                    request.household,
                    "SELECT revision FROM comparison_group WHERE household_id = \(request.household) AND id = \(id)"
                ).first(Int64.self)
            else { throw Refusal.notFound }
            // A form that is not saved yet stays one of its own time: what others did since is merged when it is.
            revision = status == .conflict ? stored : form?.revision ?? stored
        }
        let members = form?.products.filter { household.products[$0] != nil } ?? self.members(of: id, household)
        let candidates = try await candidates(id, search, household, request).filter { !members.contains($0) }
        let words = page.texts[request.language]
        let group = id.flatMap { household.groups[$0] }
        func rows(_ ids: [ProductID]) -> [GroupPage.Row] {
            ids.compactMap { id in
                household.products[id].map {
                    GroupPage.Row(
                        id: id, product: $0, chainName: household.naming.chain($0.chain), language: request.language)
                }
            }
        }
        let model = GroupPage(
            id: id, title: group?.name ?? words["server.group.new"], revision: revision,
            name: form?.name ?? group?.name ?? search, unit: form?.unit ?? group?.unit ?? .kilogram,
            shown: form?.shown ?? self.members(of: id, household),
            members: rows(members), candidates: rows(Array(candidates.prefix(12))), search: search,
            nameError: nameError, problem: problem)
        return page.response(model, for: request, status: status)
    }

    private func members(of id: ComparisonGroupID?, _ household: HouseholdCatalogue) -> [ProductID] {
        guard let id else { return [] }
        return household.products.filter { $0.value.group == id }
            .sorted { ($0.value.chain, $0.value.name, $0.key) < ($1.value.chain, $1.value.name, $1.key) }.map(\.key)
    }

    /// What is searched for, else products without a group that look like this one.
    private func candidates(
        _ id: ComparisonGroupID?, _ search: String, _ household: HouseholdCatalogue, _ request: MemberRequest
    ) async throws -> [ProductID] {
        if !search.isEmpty { return try await products.search(search, request.household).map(\.id) }
        guard let id else { return [] }
        return try await slowWork.run {
            household.products.filter { $0.value.group == nil }.keys.compactMap { product in
                household.catalogue.suggestGroups(forProduct: product).first { $0.target == .group(id) }
                    .map { (product, $0.score) }
            }
            .sorted { ($0.1, $1.0) > ($1.1, $0.0) }.map(\.0)
        }
    }
}

/// What the form of a group sends.
struct GroupForm: Sendable {
    let name: String
    let unit: StoredUnit
    let products: [ProductID]
    /// Those that the page showed as the group's.
    let shown: [ProductID]
    /// Further products are looked for with it.
    let search: String
    /// Nothing is to be saved yet: what is ticked and typed comes back with what was found.
    let isSearch: Bool
    let revision: Int64

    /// Products in one group.
    static let mostProducts = 100

    /// - Throws: `Refusal.badRequest` for what our own form never sends.
    init(_ form: FormFields) throws {
        name = form.trimmed("name") ?? ""
        guard let unit = StoredUnit(rawValue: try form.required("unit")) else { throw Refusal.badRequest }
        self.unit = unit
        products = try Self.products(form.values("product"))
        shown = try Self.products(form.values("shown"))
        revision = try form.revision() ?? 1
        search = (form.trimmed("search") ?? "").cut(to: TextLimit.search)
        let action = form.trimmed("action")
        // Enter in a field saves, unless something else is searched for than what was found.
        isSearch = action == "search" || action == "enter" && search != form.trimmed("searched") ?? ""
    }

    private static func products(_ values: [String]) throws -> [ProductID] {
        let products = values.compactMap { ProductID($0) }
        guard products.count == values.count, products.count <= mostProducts else { throw Refusal.badRequest }
        return products
    }

    /// What is wrong with the name.
    func error(_ words: LanguageTexts) -> String? { TextLimit.problem(name, TextLimit.groupName, words) }
}
