import Domain
import HTTP
import Postgres
import Templates

/// The form of one comparison group: its name, its unit, its products.
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
        products = ProductListQueries(database: database, catalogues: catalogues, slowWork: slowWork)
        page = try views.page("compare/group", GroupPage.self)
    }

    /// Allows one field for each ticked product, one for each product that was shown, and 16 other fields.
    private static let body = Endpoint.Body.longForm(
        bytes: FormFields.maximumBytes, fields: 2 * GroupEdits.maximumProducts + 16)

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/compare/groups/new", "GroupController.new", role: .member, new)
        try routes.member(.post, "/compare/groups", "GroupController.create", body: Self.body, create)
        let redirects = edits.redirectsForEndedGroups
        try routes.member(
            .get, "/compare/groups/{group}/edit", "GroupController.edit", role: .member, redirects.wrap(edit))
        try routes.member(
            .post, "/compare/groups/{group}", "GroupController.update", body: Self.body, redirects.wrap(update))
        let removed = Response.redirect(to: "/compare").flashing(Flash("already"))
        try routes.member(
            .post, "/compare/groups/{group}/removal", "GroupController.remove",
            redirects.wrap(repeated: removed, remove))
        try routes.member(.post, "/compare/groups/{group}/restoration", "GroupController.restore", restore)
    }

    private func new(_ request: MemberRequest) async throws -> Response { try await response(request, nil) }

    private func edit(_ request: MemberRequest) async throws -> Response {
        try await response(request, try request.identifier("group"))
    }

    private func create(_ request: MemberRequest) async throws -> Response {
        let form = try GroupForm(request.form)
        if form.isSearch { return try await response(request, nil, form: form) }
        if let response = try await responseIfInvalid(request, nil, form) { return response }
        do {
            _ = try await edits.add(name: form.name, unit: form.unit, products: form.products, by: request.member)
        } catch is NameTaken {
            return try await nameTaken(request, nil, form)
        }
        return .redirect(to: "/compare").flashing(Flash("saved"))
    }

    private func update(_ request: MemberRequest) async throws -> Response {
        let id: ComparisonGroupID = try request.identifier("group")
        let revision = try request.form.revision()
        let form = try GroupForm(request.form)
        if form.isSearch { return try await response(request, id, form: form) }
        if let response = try await responseIfInvalid(request, id, form) { return response }
        do {
            try await edits.update(
                id, name: form.name, unit: form.unit, products: form.products, shown: form.shown, revision: revision,
                by: request.member)
        } catch is NameTaken {
            return try await nameTaken(request, id, form)
        } catch is Conflict {
            return try await conflictPage(request, id, form)
        }
        return .redirect(to: "/compare").flashing(Flash("saved"))
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: ComparisonGroupID = try request.identifier("group")
        do {
            try await edits.remove(id, revision: request.form.revision(), by: request.member)
        } catch is Conflict {
            return try await conflictPage(request, id)
        }
        return .redirect(to: "/compare").flashing(Flash("group-removed", undo: "/compare/groups/\(id)/restoration"))
    }

    private func restore(_ request: MemberRequest) async throws -> Response {
        guard let group = try await edits.restore(try request.identifier("group"), by: request.member) else {
            return .redirect(to: "/compare").flashing(Flash("already"))
        }
        return .redirect(to: "/compare/groups/\(group)").flashing(Flash("undone"))
    }

    // MARK: Responses

    /// Returns the form with error messages if its values cannot be saved, otherwise nil. A group without products is
    /// refused. A unit in which no product has a price is refused too, because the row in the comparison would be
    /// empty.
    private func responseIfInvalid(
        _ request: MemberRequest, _ id: ComparisonGroupID?, _ form: GroupForm
    ) async throws -> Response? {
        let words = page.texts[request.language]
        var errors = FieldErrors()
        errors["name"] = TextLimit.problem(form.name, TextLimit.groupName, words)
        if !errors.isEmpty { return try await refusalPage(request, id, form, errors) }
        guard !form.products.isEmpty else {
            return try await refusalPage(request, id, form, sentence: words["server.group.empty"])
        }
        let household = try await catalogues.load(request.household)
        guard let units = household.otherUnits(of: form.products, than: form.unit) else { return nil }
        let known = units.map { $0.symbolOfOne(request.language) }.sorted().joined(separator: ", ")
        let sentence = words[
            "server.group.unit",
            ["unit": .text(form.unit.unit.symbolOfOne(request.language)), "known": .text(known)]]
        return try await refusalPage(request, id, form, sentence: sentence)
    }

    /// Shows the form again with an error at the name, because another group has that name.
    private func nameTaken(
        _ request: MemberRequest, _ id: ComparisonGroupID?, _ form: GroupForm
    ) async throws -> Response {
        var errors = FieldErrors()
        errors["name"] = page.texts[request.language]["server.form.name-taken"]
        return try await refusalPage(request, id, form, errors)
    }

    /// Shows the form again with error messages.
    ///
    /// - Parameter sentence: the message above the form; nil for the general message about wrong fields.
    private func refusalPage(
        _ request: MemberRequest, _ id: ComparisonGroupID?, _ form: GroupForm, _ errors: FieldErrors = FieldErrors(),
        sentence: String? = nil
    ) async throws -> Response {
        let words = page.texts[request.language]
        return try await response(
            request, id, form: form, errors: errors,
            problem: Problem(
                title: words["server.form.problem"], text: sentence ?? words["server.form.problem-text"]),
            status: .unprocessableContent)
    }

    /// Shows the form after a conflict, with the stored revision and the typed values.
    private func conflictPage(
        _ request: MemberRequest, _ id: ComparisonGroupID, _ form: GroupForm? = nil
    ) async throws -> Response {
        let words = page.texts[request.language]
        return try await response(
            request, id, form: form, problem: Problem.changed(words), status: .conflict)
    }

    private func response(
        _ request: MemberRequest, _ id: ComparisonGroupID?, form: GroupForm? = nil,
        errors: FieldErrors = FieldErrors(), problem: Problem? = nil, status: Status = .ok
    ) async throws -> Response {
        let household = try await catalogues.load(request.household)
        let search = form?.search ?? request.head.queryText("search", limit: TextLimit.search)
        var revision: Int64?
        if let id {
            guard household.groups[id] != nil,
                let stored = try await database.read(
                    request.household,
                    "SELECT revision FROM comparison_group WHERE household_id = \(request.household) AND id = \(id)"
                ).first(Int64.self)
            else { throw Refusal.notFound }
            // A form that is shown again keeps its revision, so that saving merges it with changes by others. After a
            // conflict it gets the stored revision, because the page tells the person about the changes.
            revision = status == .conflict ? stored : form?.revision ?? stored
        }
        let original = self.members(of: id, household)
        let ticked = form?.products ?? original
        let shown = form?.shown ?? original
        let members = (shown + ticked.filter { !shown.contains($0) }).filter { household.products[$0] != nil }
        let candidates = try await candidates(id, search, household, request).filter { !members.contains($0) }
        let words = page.texts[request.language]
        let group = id.flatMap { household.groups[$0] }
        func rows(_ ids: [ProductID]) -> [GroupPage.Row] {
            ids.compactMap { id in
                household.products[id].map {
                    GroupPage.Row(
                        id: id, product: $0, chainName: household.naming.chain($0.chain),
                        isTicked: ticked.contains(id), language: request.language)
                }
            }
        }
        let model = GroupPage(
            id: id, title: group?.name ?? words["server.group.new"], revision: revision,
            name: form?.name ?? group?.name ?? search, unit: form?.unit ?? group?.unit ?? .kilogram,
            shown: shown, members: rows(members), candidates: rows(Array(candidates.prefix(12))), search: search,
            errors: errors, problem: problem)
        return page.response(model, for: request, status: status)
    }

    private func members(of id: ComparisonGroupID?, _ household: HouseholdCatalogue) -> [ProductID] {
        guard let id else { return [] }
        return household.products.filter { $0.value.group == id }
            .sorted { ($0.value.chain, $0.value.name, $0.key) < ($1.value.chain, $1.value.name, $1.key) }.map(\.key)
    }

    /// The search results. Without a search: similar products that belong to no group, if the group is stored; none for
    /// a new group.
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

/// The submitted form of a group.
struct GroupForm: Sendable {
    let name: String
    let unit: StoredUnit
    let products: [ProductID]
    /// The products of the group when the page was opened.
    let shown: [ProductID]
    /// The search text for further products.
    let search: String
    /// Whether the form only searches. It is then shown again with the results, and nothing is saved.
    let isSearch: Bool
    /// Nil for a new group.
    let revision: Int64?

    /// - Throws: `Refusal.badRequest` for values that the form never sends.
    init(_ form: FormFields) throws {
        name = form.trimmed("name") ?? ""
        guard let unit = StoredUnit(rawValue: try form.required("unit")) else { throw Refusal.badRequest }
        self.unit = unit
        products = try Self.products(form.values("product"))
        shown = try Self.products(form.values("shown"))
        revision = try form.optionalRevision()
        search = (form.trimmed("search") ?? "").cut(to: TextLimit.search)
        let action = form.trimmed("action")
        // The Enter key saves the form, unless the search text has changed since the last search.
        isSearch = action == "search" || action == "enter" && search != form.trimmed("searched") ?? ""
    }

    private static func products(_ values: [String]) throws -> [ProductID] {
        let products = values.compactMap { ProductID($0) }
        guard products.count == values.count, products.count <= GroupEdits.maximumProducts else {
            throw Refusal.badRequest
        }
        return products
    }
}

extension HouseholdCatalogue {
    /// Returns the units of the products' prices if none of them is per `unit`. Returns nil if one of them is per
    /// `unit`, or if no product has a price.
    func otherUnits(of products: [ProductID], than unit: StoredUnit) -> Set<MeasureUnit>? {
        let units = Set(products.compactMap { self.products[$0]?.price?.base?.unit })
        return units.isEmpty || units.contains(unit.unit.base) ? nil : units
    }
}
