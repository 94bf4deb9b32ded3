import Domain
import HTTP
import JSON

/// Products and their prices in the API.
struct ProductAPI: PatchedResource {
    static let name = "products"
    static let parameters = "{product}"
    // The document contains prices, and a new price does not change the revision.
    static let mayAnswerNotModified = false

    private let database: Database
    private let queries: ProductListQueries
    private let edits: ProductEdits
    private let cursors: Cursors

    init(_ database: Database, _ catalogues: HouseholdCatalogues, _ slowWork: SlowWork) {
        self.database = database
        queries = ProductListQueries(database: database, catalogues: catalogues, slowWork: slowWork)
        edits = ProductEdits(database: database)
        cursors = Cursors(database: database)
    }

    func register(_ routes: inout Routes) throws {
        try routes.client(.get, Self.all, "ProductAPI.list", scope: .read, list)
        try registerOne(&routes)
        try registerChange(&routes)
        let package = "\(Self.one)/packages/{day}"
        try routes.client(.get, "\(Self.one)/prices", "ProductAPI.prices", scope: .read, prices)
        try routes.client(.put, package, "ProductAPI.setPackage", scope: .write, setPackage)
        try routes.client(.delete, package, "ProductAPI.removePackage", scope: .write, removePackage)
    }

    // MARK: Reading

    private func list(_ request: ClientRequest) async throws -> Response {
        _ = try request.query("category") { CategoryID($0) }
        _ = try request.query("sort") { ProductFilter.Order(rawValue: $0) }
        let list = "products" + request.filterText
        let skipped = try await cursors.offset(request, of: list)
        let filter = ProductFilter(request.head, skipped: skipped)
        let result = try await queries.list(filter, request.member)
        let shown = result.products.prefix(ProductListQueries.pageSize)
        let next =
            result.products.count > shown.count
            ? try await cursors.make(String(skipped + shown.count), of: list, for: request.member) : nil
        return request.answer(list: Self.listMember, next: next) { json in
            for product in shown {
                json.object { json in
                    json.member("id", product.id.description)
                    json.member("name", product.name)
                    json.member("chain", product.chain)
                    json.member("chain_name", result.naming.chain(product.chain))
                    json.member("category_id", product.category?.description)
                    json.price("price", product.newest, result.naming)
                    json.price("earlier_price", product.earlier, result.naming)
                }
            }
        }
    }

    func key(_ request: ClientRequest) throws -> ProductID { try request.identifier("product") }

    func revision(_ product: StoredProduct) -> Int64 { product.revision }

    func find(_ id: ProductID, _ request: ClientRequest) async throws -> StoredProduct {
        try await StoredProduct.find(id, request.member, database, for: .forms)
    }

    func document(_ product: StoredProduct, _ request: ClientRequest) -> JSONWriter {
        JSONWriter(object: { json in
            json.member("id", product.id.description)
            json.member("revision", product.revision)
            json.member("name", product.name)
            json.member("chain", product.chain)
            json.member("chain_name", product.naming.chain(product.chain))
            json.member("category_id", product.category?.description)
            json.member("group_id", product.group?.id.description)
            json.price("price", product.newest, product.naming)
            json.price("earlier_price", product.earlier, product.naming)
            json.array("packages") { json in
                for package in product.packages {
                    json.object { json in
                        json.member("valid_from", package.from.iso)
                        json.member("amount_thousandths", package.size.thousandths)
                        json.member("unit", StoredUnit(package.size.unit).rawValue)
                    }
                }
            }
            json.array("printed_names") { json in
                for alias in product.aliases {
                    json.object { json in
                        json.member("id", alias.id.description)
                        json.member("chain", alias.chain)
                        json.member("printed_name", alias.printedName)
                        json.member("lines", alias.count)
                    }
                }
            }
        })
    }

    private func prices(_ request: ClientRequest) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        let list = "prices \(id)" + request.filterText
        let skipped = try await cursors.offset(request, of: list)
        let product = try await StoredProduct.find(id, request.member, database, for: .prices(skipped: skipped))
        let shown = product.prices.prefix(StoredProduct.pageSize)
        let next =
            product.prices.count > shown.count
            ? try await cursors.make(String(skipped + shown.count), of: list, for: request.member) : nil
        return request.answer(list: "prices", next: next) { json in
            for price in shown { PriceDocument(price: price, naming: product.naming).write(&json) }
        }
    }

    // MARK: Changes

    func change(_ stored: StoredProduct, _ request: ClientRequest) async throws {
        var fields = JSONFields(try request.object())
        let name =
            fields.has("name") ? fields.requiredText("name", 1...TextLimit.productName) : stored.name
        let category = fields.has("category_id") ? fields.identifier("category_id") : stored.category
        if let category, !stored.categories.all.contains(where: { $0.id == category }) {
            fields.refuse("category_id", "is not a category of this household")
        }
        try fields.finish()
        try await edits.update(
            stored.id, name: name, category: category, revision: stored.revision, by: request.member)
    }

    func delete(_ stored: StoredProduct, _ request: ClientRequest) async throws {
        try await edits.remove(stored.id, revision: stored.revision, by: request.member)
    }

    private func setPackage(_ request: ClientRequest) async throws -> Response {
        let day = try day(request)
        let stored = try await loadForChange(request)
        var fields = JSONFields(try request.object())
        let amount = fields.integer("amount_thousandths", 1...1_000_000_000)
        let unit: StoredUnit? = fields.choice("unit")
        if amount == nil, fields.errors.isEmpty { fields.refuse("amount_thousandths", "is required") }
        if unit == nil, fields.errors.isEmpty { fields.refuse("unit", "is required") }
        try fields.finish()
        guard let amount, let unit else { throw Refusal.badRequest }
        try await edits.addPackage(
            Quantity(thousandths: amount, unit: unit.unit), from: day, to: stored.id, revision: stored.revision,
            by: request.member)
        return try await answer(stored.id, request)
    }

    private func removePackage(_ request: ClientRequest) async throws -> Response {
        let day = try day(request)
        let stored = try await loadForChange(request)
        try await edits.removePackage(from: day, of: stored.id, revision: stored.revision, by: request.member)
        return try await answer(stored.id, request)
    }

    // MARK: Parts

    /// The day in the path, from which on the product has the package size.
    private func day(_ request: ClientRequest) throws -> LocalDate {
        guard let text = request.parameters["day"], let day = LocalDate(parsing: text), day.iso == text,
            day >= .firstPurchaseDay, day <= WallClock.today().adding(days: 366)
        else { throw Refusal.notFound }
        return day
    }
}
