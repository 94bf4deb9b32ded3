import Domain
import HTTP
import JSON
import Postgres

/// Comparisons in the API: the products that are considered the same, and their price in each store.
struct GroupAPI: CreatedResource, PatchedResource {
    static let name = "groups"
    static let parameters = "{group}"
    // A new price does not change the revision.
    static let mayAnswerNotModified = false

    private let database: Database
    private let catalogues: HouseholdCatalogues
    private let slowWork: SlowWork
    private let queries: CompareQueries
    private let edits: GroupEdits
    private let cursors: Cursors

    /// A stored comparison with its products, and the household's catalogue, from which the products were taken.
    struct Resource: Sendable {
        let id: ComparisonGroupID
        let revision: Int64
        let group: HouseholdCatalogue.Group
        let products: [ProductID]
        let household: HouseholdCatalogue
    }

    private static let pageSize = 50

    init(_ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork) {
        self.database = database
        self.catalogues = catalogues
        self.slowWork = slowWork
        queries = CompareQueries(database: database)
        edits = GroupEdits(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, Self.all, "GroupAPI.list", scope: .read, list)
        try registerCreation(&routes)
        try registerOne(&routes)
        try registerChange(&routes)
        try routes.client(.get, "/api/v1/comparison/basket", "GroupAPI.basket", scope: .read, basket)
    }

    // MARK: Reading

    private func list(_ request: ClientRequest) async throws -> Response {
        _ = try request.query("category") { CategoryID($0) }
        let list = "groups" + request.filterText
        let skipped = try await cursors.offset(request, of: list)
        let household = try await catalogues.load(request.household)
        let matching = try await household.groups(CompareFilter(request.head), slowWork)
        let shown = Array(matching.dropFirst(skipped).prefix(Self.pageSize))
        let compared = try await compared(shown, household, request)
        let end = skipped + shown.count
        let next = matching.count > end ? try await cursors.make(String(end), of: list, for: request.member) : nil
        return request.answer(list: Self.listMember, next: next) { json in
            for id in shown {
                guard let group = household.groups[id] else { continue }
                json.object { json in
                    Self.write(id, group, household.productsByGroup[id] ?? [], &json)
                    Self.write(compared.cells[id] ?? [], household, &json)
                }
            }
        }
    }

    func key(_ request: ClientRequest) throws -> ComparisonGroupID { try request.identifier("group") }

    func revision(_ stored: Resource) -> Int64 { stored.revision }

    /// Depends on the products, too. Merging products, synchronisation and other comparisons move products in and out
    /// without changing the revision of the comparison.
    func tag(_ stored: Resource) -> EntityTag {
        let products = stored.products.sorted().map(\.description).joined(separator: ",")
        return EntityTag("\(stored.revision)-\(EntityTag(hashing: Array(products.utf8)).value)")
    }

    func find(_ id: ComparisonGroupID, _ request: ClientRequest) async throws -> Resource {
        let rows = try await database.read(
            request.household,
            "SELECT revision FROM comparison_group WHERE household_id = \(request.household) AND id = \(id)")
        let household = try await catalogues.load(request.household)
        guard let revision = try rows.first(Int64.self), let group = household.groups[id] else {
            throw Refusal.notFound
        }
        return Resource(
            id: id, revision: revision, group: group, products: household.productsByGroup[id] ?? [],
            household: household)
    }

    func document(_ stored: Resource, _ request: ClientRequest) async throws -> JSONWriter {
        let compared = try await compared([stored.id], stored.household, request)
        return JSONWriter(object: { json in
            Self.write(stored.id, stored.group, stored.products, &json)
            json.member("revision", stored.revision)
            Self.write(compared.cells[stored.id] ?? [], stored.household, &json)
        })
    }

    /// Loads the latest prices of these comparisons in each store.
    private func compared(
        _ groups: [ComparisonGroupID], _ household: HouseholdCatalogue, _ request: ClientRequest
    ) async throws -> ComparedPrices {
        let productsByGroup = household.productsByGroup
        let (currency, newest, _) = try await queries.comparison(
            groups.flatMap { productsByGroup[$0] ?? [] }, request.household)
        return ComparedPrices(groups, newest, currency, household, today: WallClock.today())
    }

    private func basket(_ request: ClientRequest) async throws -> Response {
        let household = try await catalogues.load(request.household)
        let facts = try await queries.facts(request.member, today: WallClock.today())
        let basket = UsualBasket(facts.basket, household)
        let compared = try await compared(basket.entries.map(\.group), household, request)
        let comparison = basket.comparison(compared.cells, household)
        var json = JSONWriter()
        json.object { json in
            json.member("currency", facts.currency.rawValue)
            json.array("entries") { json in
                for entry in basket.entries {
                    guard let group = household.groups[entry.group] else { continue }
                    json.object { json in
                        json.member("group_id", entry.group.description)
                        json.member("name", group.name)
                        json.member("unit", group.unit.rawValue)
                        json.member("quantity_thousandths", entry.quantity)
                    }
                }
            }
            json.array("totals") { json in
                for total in comparison.totals + [comparison.pair].compactMap({ $0 }) {
                    json.object { json in
                        json.array("chains") { json in for chain in total.places { json.value(chain) } }
                        json.member("cost_minor", total.cost)
                        json.member("missing", total.missing.count)
                        json.member("old", total.oldCount)
                    }
                }
            }
        }
        return request.answer(json)
    }

    // MARK: Changes

    func add(_ request: ClientRequest) async throws -> ComparisonGroupID {
        let form = try await form(request, stored: nil)
        return try await edits.add(
            name: form.name, unit: form.unit, products: form.products, by: request.member)
    }

    func change(_ stored: Resource, _ request: ClientRequest) async throws {
        let form = try await form(
            request, stored: Form(name: stored.group.name, unit: stored.group.unit, products: stored.products))
        try await edits.update(
            stored.id, name: form.name, unit: form.unit, products: form.products, shown: stored.products,
            revision: stored.revision, by: request.member)
    }

    func delete(_ stored: Resource, _ request: ClientRequest) async throws {
        try await edits.remove(stored.id, shown: stored.products, revision: stored.revision, by: request.member)
    }

    // MARK: Parts

    /// The values of a comparison after the request: the values in the body, and the stored values of missing members.
    private struct Form {
        let name: String
        let unit: StoredUnit
        let products: [ProductID]
    }

    /// Reads the body. As on the page, a comparison needs at least one product, and a unit in which one of its products
    /// has a price.
    private func form(_ request: ClientRequest, stored: Form?) async throws -> Form {
        var fields = JSONFields(try request.object())
        let name =
            stored == nil || fields.has("name")
            ? fields.requiredText("name", 1...TextLimit.groupName) : stored?.name ?? ""
        let unit: StoredUnit? = fields.has("unit") || stored == nil ? fields.choice("unit") : stored?.unit
        if unit == nil, fields.errors.isEmpty { fields.refuse("unit", "is required") }
        let products: [ProductID]? =
            fields.has("product_ids") || stored == nil
            ? fields.identifiers("product_ids", maximum: GroupEdits.maximumProducts) : stored?.products
        if products?.isEmpty ?? fields.errors.isEmpty { fields.refuse("product_ids", "must have at least one product") }
        let household = try await catalogues.load(request.household)
        if let products, !products.allSatisfy({ household.products[$0] != nil }) {
            fields.refuse("product_ids", "must be products of this household")
        }
        if let unit, let products, let known = household.otherUnits(of: products, than: unit) {
            let names = known.map { StoredUnit($0).rawValue }.sorted().joined(separator: ", ")
            fields.refuse("unit", "must be a unit that these products have prices in: \(names)")
        }
        try fields.finish()
        guard let unit, let products else { throw Refusal.badRequest }
        return Form(name: name, unit: unit, products: products)
    }

    private static func write(
        _ id: ComparisonGroupID, _ group: HouseholdCatalogue.Group, _ products: [ProductID], _ json: inout JSONWriter
    ) {
        json.member("id", id.description)
        json.member("name", group.name)
        json.member("unit", group.unit.rawValue)
        json.array("product_ids") { json in for product in products.sorted() { json.value(product.description) } }
    }

    /// Writes the latest price of each store: cheapest first, then outdated prices.
    private static func write(
        _ cells: [PriceComparison.Cell], _ household: HouseholdCatalogue, _ json: inout JSONWriter
    ) {
        json.array("prices") { json in
            for cell in cells {
                json.object { json in
                    json.member("product_id", cell.observation.product.description)
                    json.member("store_id", cell.observation.store.description)
                    json.member("store", household.naming.store(cell.observation.store))
                    json.member("day", cell.observation.day.iso)
                    json.member("currency", cell.price.currency.rawValue)
                    json.member("base_thousandths", cell.price.thousandthsOfMinor)
                    json.member("is_offer", cell.isFreshOffer)
                    json.member("is_cheapest", cell.isCheapest)
                    json.member("is_old", cell.isOld)
                }
            }
        }
    }
}
