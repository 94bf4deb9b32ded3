import Domain
import Postgres

/// The actions of the matching page. Each is one transaction.
struct NameBinding: Sendable {
    let database: Database
    let catalogues: HouseholdCatalogues
    let slowWork: SlowWork

    /// What a printed name means.
    enum Answer: Sendable {
        case product(ProductID)
        /// A new product in a comparison group.
        case group(ComparisonGroupID)
        case new(name: String, category: CategoryID?)
        /// Not a product.
        case ignored
    }

    /// What is needed to undo the action.
    enum Undo: Sendable {
        case ignored(IgnoredNameID)
        case bound(ProductID)
    }

    /// - Throws: `BindingError`; `Refusal.notFound` when the name, product or group never existed.
    @discardableResult
    func bind(_ line: ReceiptLineID, to answer: Answer, by member: Member) async throws -> Undo {
        let vocabulary = try await catalogues.load(member.household).vocabulary
        return try await database.write(member.household, by: member.person) { changes in
            let rows = try await changes.query(WaitingName.find([line], member))
            guard let name = try WaitingName.decode(rows).first else {
                throw try await Self.missing(line, member, changes)
            }
            switch answer {
            case .ignored:
                let ignored = IgnoredNameID.new()
                try await changes.query(
                    """
                    INSERT INTO ignored_name (household_id, id, chain, alias_key)
                    VALUES (\(changes.household), \(ignored), \(name.chain), \(name.key))
                    """)
                changes.changed(.ignoredName, ignored)
                return .ignored(ignored)
            case .product(let product):
                let found = try await changes.query(
                    """
                    SELECT 1 FROM product WHERE household_id = \(changes.household) AND id = \(product)
                        AND chain = \(name.chain)
                    """)
                guard !found.isEmpty else {
                    throw try await changes.wasDeleted(product) ? BindingError.productGone : Refusal.notFound
                }
                try await Self.recordPackage(of: name, for: product, changes)
                try await Self.teach([(name, product)], changes)
                return .bound(product)
            case .group(let group):
                let found = try await changes.query(
                    """
                    SELECT (SELECT d.category_id FROM product d WHERE d.household_id = g.household_id
                        AND d.comparison_group_id = g.id AND d.category_id IS NOT NULL ORDER BY d.id LIMIT 1)
                    FROM comparison_group g WHERE g.household_id = \(changes.household) AND g.id = \(group)
                    """)
                guard let category = try found.first(CategoryID?.self) else { throw Refusal.notFound }
                let addition = Addition(name, vocabulary, category: category, group: group)
                try await Self.add([addition], changes)
                return .bound(addition.product.id)
            case .new(let typed, let category):
                if let category {
                    let found = try await changes.query(
                        "SELECT 1 FROM category WHERE household_id = \(changes.household) AND id = \(category)")
                    guard !found.isEmpty else { throw Refusal.badRequest }
                }
                let taken = try await changes.query(
                    """
                    SELECT id FROM product WHERE household_id = \(changes.household) AND chain = \(name.chain)
                        AND lower(name) = lower(\(typed.trimmed)) ORDER BY id LIMIT 1
                    """
                ).first(ProductID.self)
                if let taken { throw BindingError.nameTaken(taken) }
                let addition = Addition(name, vocabulary, as: typed, category: category)
                try await Self.add([addition], changes)
                return .bound(addition.product.id)
            }
        }
    }

    /// Makes an ignored name wait again.
    ///
    /// - Returns: false when that was done before.
    /// - Throws: `Refusal.notFound`.
    func ask(again id: IgnoredNameID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let revision = try await changes.query(
                """
                DELETE FROM ignored_name WHERE household_id = \(changes.household) AND id = \(id) RETURNING revision
                """
            ).first(Int64.self)
            guard let revision else {
                guard try await changes.wasDeleted(id) else { throw Refusal.notFound }
                return false
            }
            changes.deleted(.ignoredName, id, lastRevision: revision)
            return true
        }
    }

    /// The error for a line whose name does not wait.
    private static func missing(
        _ line: ReceiptLineID, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> any Error {
        let printed = try await changes.query(
            """
            SELECT l.printed_name FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            WHERE l.household_id = \(changes.household) AND l.id = \(line) AND l.kind = 'item'
                AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND \(Visibility.isPublished())
            """
        ).first(String.self)
        return printed.map { BindingError.alreadyDone(printedName: $0) } ?? Refusal.notFound
    }

    /// Makes a product of every waiting name without a suggestion, of at most `mostNames` names.
    ///
    /// Suggestions are computed before the household is locked.
    ///
    /// - Returns: the number of new products.
    func addAllWithoutSuggestion(by member: Member) async throws -> Int {
        let known = try await catalogues.load(member.household)
        let rows = try await database.read(
            member.household, WaitingName.query(member, limit: Self.mostNames))
        let additions = try await slowWork.run {
            try WaitingName.decode(rows).filter { known.catalogue.suggestions(for: $0.item).isEmpty }
                .map { Addition($0, known.vocabulary, category: known.categories.id(key: $0.categoryGuess)) }
        }
        var count = 0
        for batch in additions.batches(of: Self.batchSize) {
            count += try await database.write(member.household, by: member.person) { changes in
                let left = try await changes.query(WaitingName.find(batch.map(\.waiting.line), member))
                let waiting = Set(try WaitingName.decode(left).map(\.line))
                let added = batch.filter { waiting.contains($0.waiting.line) }
                try await Self.add(added, changes)
                return added.count
            }
        }
        return count
    }

    // MARK: Parts

    private static let mostNames = 1_000
    /// Names per transaction. Other writers of the household wait for it.
    private static let batchSize = 250

    /// A waiting name and the product to create.
    private struct Addition: Sendable {
        let waiting: WaitingName
        let product: NewProduct

        init(
            _ waiting: WaitingName, _ vocabulary: Vocabulary, as typed: String? = nil, category: CategoryID?,
            group: ComparisonGroupID? = nil
        ) {
            self.waiting = waiting
            product = NewProduct(
                id: .new(), chain: waiting.chain,
                name: typed ?? vocabulary.readableName(waiting.printedName), category: category, group: group,
                package: waiting.package, from: waiting.firstDay ?? .firstPurchaseDay)
        }
    }

    /// If the name has another size than the product on the days of its purchases, records that size: a smaller package, or
    /// the larger one of before.
    private static func recordPackage(
        of name: WaitingName, for product: ProductID, _ changes: HouseholdTransaction
    ) async throws {
        guard let size = PackageSize(inName: name.printedName)?.total else { return }
        let bought = try await changes.query(
            """
            SELECT DISTINCT r.purchase_day FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE l.household_id = \(changes.household) AND l.alias_key = \(name.key) AND l.kind = 'item'
                AND l.product_id IS NULL AND l.unit = 'piece' AND s.chain = \(name.chain) AND r.stage = \(Stage.confirmed.sql)
                AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL
            """
        ).decode(LocalDate.self).map { PackageSizePeriod(from: $0, size: size) }
        let own = try await ProductPackages.periods(of: product, changes)
        let days = try await ProductPackages.days(of: product, changes)
        let added = own.periods(joining: bought, keeping: days)
        guard !added.isEmpty else { return }
        try await ProductPackages.record(added, of: product, changes)
        try await ProductEdits.touch(product, changes)
    }

    private static func add(_ additions: [Addition], _ changes: HouseholdTransaction) async throws {
        try await NewProducts.add(additions.map(\.product), changes)
        try await teach(additions.map { ($0.waiting, $0.product.id) }, changes)
    }

    /// Stores the aliases and books every receipt of the chain that has one of the names.
    private static func teach(
        _ names: [(waiting: WaitingName, product: ProductID)], _ changes: HouseholdTransaction
    ) async throws {
        let aliases = names.map { name in
            NewAlias(
                chain: name.waiting.chain, key: name.waiting.key, printedName: name.waiting.printedName,
                product: name.product)
        }
        try await NewProducts.teach(aliases, changes)
        try await book(aliases, changes)
    }

    /// Books every receipt of the chains that has one of the names.
    static func book(_ aliases: [NewAlias], _ changes: HouseholdTransaction) async throws {
        let receipts = try await changes.query(
            """
            SELECT DISTINCT l.receipt_id
            FROM unnest(\(aliases.map(\.chain)), \(aliases.map(\.key))) AS n (chain, alias_key)
            JOIN receipt_line l ON l.household_id = \(changes.household) AND l.alias_key = n.alias_key
                AND l.kind = 'item' AND l.product_id IS NULL
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id AND s.chain = n.chain
            """
        ).decode(ReceiptID.self)
        try await Booking.rebook(receipts, changes)
    }
}
