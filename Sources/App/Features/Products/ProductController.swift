import Domain
import HTTP
import Templates

/// Changes of a product: name, category, package sizes, printed names.
struct ProductController: Sendable {
    private let database: Database
    private let edits: ProductEdits
    private let page: View<ProductEditPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        edits = ProductEdits(database: database)
        page = try views.page("products/edit", ProductEditPage.self)
    }

    func register(_ routes: inout Routes) throws {
        let redirects = edits.redirectsForEndedProducts
        try routes.member(
            .get, "/products/{product}/edit", "ProductController.edit", role: .member, redirects.wrap(edit))
        try routes.member(.post, "/products/{product}", "ProductController.update", redirects.wrap(update))
        try routes.member(
            .post, "/products/{product}/packages", "ProductController.addPackage", redirects.wrap(addPackage))
        try routes.member(
            .post, "/products/{product}/packages/{day}/removal", "ProductController.removePackage",
            redirects.wrap(removePackage))
        try routes.member(.post, "/products/{product}/splits", "ProductController.detach", redirects.wrap(detach))
        let removed = Response.redirect(to: "/products").flashing(Flash("already"))
        try routes.member(
            .post, "/products/{product}/removal", "ProductController.remove",
            redirects.wrap(repeated: removed, remove))
    }

    private func edit(_ request: MemberRequest) async throws -> Response { try await response(request) { _ in } }

    private func update(_ request: MemberRequest) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        let name = try request.form.required("name")
        let words = page.texts[request.language]
        if let sentence = TextLimit.problem(name, TextLimit.productName, words) {
            return try await refusalPage(request, "name", sentence, typedName: name)
        }
        do {
            try await edits.update(
                id, name: name, category: Self.category(request), revision: request.form.revision(), by: request.member)
        } catch is NameTaken {
            return try await refusalPage(request, "name", words["server.form.name-taken"], typedName: name)
        } catch is Conflict {
            return try await conflictPage(request, typedName: name)
        }
        return .redirect(to: "/products/\(id)").flashing(Flash("saved"))
    }

    private func addPackage(_ request: MemberRequest) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        let words = page.texts[request.language]
        let typed = ProductEditPage.TypedPackage(
            amount: try request.form.required("amount"), unit: try request.form.required("unit"),
            from: try request.form.required("from"))
        guard let unit = MeasureUnit(parsing: typed.unit) else { throw Refusal.badRequest }
        let size: Quantity
        do {
            size = try Quantity(parsing: typed.amount, unit: unit, in: request.language)
        } catch .ambiguous {
            let sentence = words["server.form.ambiguous", ["value": .text(typed.amount.trimmed)]]
            return try await refusalPage(request, "amount", sentence, typedPackage: typed)
        } catch {
            return try await refusalPage(request, "amount", words["server.form.number"], typedPackage: typed)
        }
        let stored = size.stored
        guard size.unit == unit, (1...1_000_000_000).contains(stored.thousandths) else {
            return try await refusalPage(request, "amount", words["server.form.number"], typedPackage: typed)
        }
        guard size.isSameAmount(as: Quantity(thousandths: stored.thousandths, unit: stored.unit.unit)) else {
            return try await refusalPage(request, "amount", words["server.form.whole"], typedPackage: typed)
        }
        guard let day = LocalDate(parsing: typed.from), day >= .firstPurchaseDay,
            day <= WallClock.today().adding(days: 366)
        else { return try await refusalPage(request, "from", words["server.form.date"], typedPackage: typed) }
        do {
            try await edits.addPackage(size, from: day, to: id, revision: request.form.revision(), by: request.member)
        } catch is Conflict {
            return try await conflictPage(request, typedPackage: typed)
        }
        return .redirect(to: "/products/\(id)").flashing(Flash("saved"))
    }

    private func removePackage(_ request: MemberRequest) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        guard let day = request.parameters["day"].flatMap({ LocalDate(parsing: $0) }) else { throw Refusal.notFound }
        do {
            try await edits.removePackage(from: day, of: id, revision: request.form.revision(), by: request.member)
        } catch is Conflict {
            return try await conflictPage(request)
        }
        return .redirect(to: "/products/\(id)").flashing(Flash("saved"))
    }

    private func detach(_ request: MemberRequest) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        guard let alias = AliasID(try request.form.required("alias")) else { throw Refusal.badRequest }
        do {
            let product = try await edits.detach(alias, from: id, by: request.member)
            return .redirect(to: "/products/\(product)").flashing(Flash("detached"))
        } catch is Conflict {
            return try await conflictPage(request)
        }
    }

    private func remove(_ request: MemberRequest) async throws -> Response {
        let id: ProductID = try request.identifier("product")
        do {
            try await edits.remove(id, revision: request.form.revision(), by: request.member)
        } catch is Conflict {
            return try await conflictPage(request)
        }
        return .redirect(to: "/products").flashing(Flash("product-removed"))
    }

    // MARK: Parts

    /// The chosen category; nil for none.
    private static func category(_ request: MemberRequest) -> CategoryID? {
        request.form.trimmed("category").flatMap { CategoryID($0) }
    }

    /// Shows the form again with the typed values and a message that the product was changed in the meantime.
    private func conflictPage(
        _ request: MemberRequest, typedName: String? = nil, typedPackage: ProductEditPage.TypedPackage? = nil
    ) async throws -> Response {
        let words = page.texts[request.language]
        return try await response(request, status: .conflict) { page in
            page.typedName = typedName
            page.typedPackage = typedPackage
            page.problem = Problem.changed(words)
        }
    }

    /// Shows the form again with an error message at one field.
    private func refusalPage(
        _ request: MemberRequest, _ field: String, _ sentence: String, typedName: String? = nil,
        typedPackage: ProductEditPage.TypedPackage? = nil
    ) async throws -> Response {
        let words = page.texts[request.language]
        let revision = try request.form.optionalRevision()
        return try await response(request, status: .unprocessableContent) { page in
            page.revision = revision ?? page.revision
            if typedName != nil { page.category = Self.category(request) }
            page.typedName = typedName
            page.typedPackage = typedPackage
            page.errors[field] = sentence
            page.problem = Problem.invalidFields(words)
        }
    }

    private func response(
        _ request: MemberRequest, status: Status = .ok, _ adjust: (inout ProductEditPage) -> Void
    ) async throws -> Response {
        let product = try await StoredProduct.find(
            try request.identifier("product"), request.member, database, for: .forms)
        var model = ProductEditPage(
            product: product,
            days: page.days(request))
        adjust(&model)
        return page.response(model, for: request, status: status)
    }
}
