import Domain
import Postgres

/// The actions of the matching page. Each action is one transaction, except `addAllNew` and `undo`, which change many
/// names.
struct NameMatching: Sendable {
    let database: Database
    let catalogues: HouseholdCatalogues
    let slowWork: SlowWork

    /// The meaning of a printed name.
    enum Answer: Sendable {
        case product(ProductID)
        /// A new product in a comparison group.
        case group(ComparisonGroupID)
        case new(name: String, category: CategoryID?)
        /// Not a product.
        case ignored
    }

    /// The identifier for undoing the action.
    enum Undo: Sendable {
        /// The names that were ignored together.
        case ignored([IgnoredNameID])
        case matched(ProductID)
        case batch(MatchingBatchID)
    }

    /// The chain already has a product with the typed name.
    struct ProductExists: Error {
        let product: ProductID
    }

    /// Matches printed names of one chain to one product, or marks them as not being products.
    ///
    /// - Parameter lines: one line for each name; not empty. Names that are already matched or ignored are left out.
    /// - Returns: the identifier for undoing.
    /// - Throws: `Conflict` when all names are already matched or ignored; `AlreadyDeleted` when the product was
    ///   deleted; `ProductExists`; `Refusal.notFound` when the name, the product or the comparison never existed;
    ///   `Refusal.badRequest` for names of several chains or an unknown category.
    @discardableResult
    func match(_ lines: [ReceiptLineID], to answer: Answer, by member: Member) async throws -> Undo {
        let vocabulary = try await catalogues.load(member.household).vocabulary
        return try await database.write(member.household, by: member.person) { changes in
            let found = try WaitingName.decode(try await changes.query(WaitingName.find(lines, member)))
            var keys: Set<String> = []
            let names = lines.compactMap { line in found.first { $0.line == line } }
                .filter { keys.insert($0.key).inserted }
            guard let name = names.first else { throw try await Self.errorForMissingName(lines, changes) }
            guard names.allSatisfy({ $0.chain == name.chain }) else { throw Refusal.badRequest }
            let product: ProductID
            switch answer {
            case .ignored:
                let ignored = names.map { _ in IgnoredNameID.new() }
                try await changes.query(
                    """
                    INSERT INTO ignored_name (household_id, id, chain, alias_key)
                    SELECT \(changes.household), n.* FROM unnest(\(ignored), \(names.map(\.chain)), \(names.map(\.key))) AS n
                    """)
                changes.changed(.ignoredName, ignored)
                return .ignored(ignored)
            case .product(let chosen):
                let found = try await changes.query(
                    """
                    SELECT 1 FROM product WHERE household_id = \(changes.household) AND id = \(chosen)
                        AND chain = \(name.chain)
                    """)
                guard !found.isEmpty else { throw try await changes.errorForMissing(chosen) }
                product = chosen
                for name in names { try await Self.recordPackage(of: NewAlias(name, of: product), changes) }
            case .group(let group):
                let found = try await changes.query(
                    """
                    SELECT (SELECT d.category_id FROM product d WHERE d.household_id = g.household_id
                        AND d.comparison_group_id = g.id AND d.category_id IS NOT NULL ORDER BY d.id LIMIT 1)
                    FROM comparison_group g WHERE g.household_id = \(changes.household) AND g.id = \(group)
                    """)
                guard let category = try found.first(CategoryID?.self) else { throw Refusal.notFound }
                product = try await Self.add(
                    names, as: Addition(name, vocabulary, category: category, group: group), changes)
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
                if let taken { throw ProductExists(product: taken) }
                product = try await Self.add(
                    names, as: Addition(name, vocabulary, as: typed, category: category), changes)
            }
            guard names.count > 1 else {
                try await Self.matchAndUpdatePrices([(name, product)], changes)
                return .matched(product)
            }
            let batch = MatchingBatchID.new()
            try await MatchingBatch.begin(batch, changes)
            try await Self.matchAndUpdatePrices(names.map { ($0, product) }, batch: batch, changes)
            return .batch(batch)
        }
    }

    /// The error when none of the lines has a waiting name.
    private static func errorForMissingName(
        _ lines: [ReceiptLineID], _ changes: HouseholdTransaction
    ) async throws -> any Error {
        let printed = try await changes.query(
            """
            SELECT l.printed_name FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            WHERE l.household_id = \(changes.household) AND l.id = ANY(\(lines)) AND l.kind = 'item'
                AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND \(Visibility.isPublished())
            """
        ).first(String.self)
        guard let printed else { return Refusal.notFound }
        return Conflict(changes: [Conflict.Change(part: "", name: printed, cause: .gone, entries: [])])
    }

    // MARK: Parts

    /// A waiting name with the product to create from it.
    struct Addition: Sendable {
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

    /// Records the package size in a printed name for the days on which lines with the name were bought. Has no effect
    /// on days for which the product already has this size. The sizes differ, for example, after a package became
    /// smaller. Leaves out the days of hidden receipts, because all members see the sizes and the days from which they
    /// apply.
    ///
    /// - Parameter previous: the product that the name's lines still belong to; nil if they belong to none.
    static func recordPackage(
        of name: NewAlias, leaving previous: ProductID? = nil, _ changes: HouseholdTransaction
    ) async throws {
        guard let size = PackageSize(inName: name.printedName)?.total else { return }
        let owner: SQL = previous.map { "l.product_id = \($0)" } ?? "l.product_id IS NULL"
        let bought = try await changes.query(
            """
            SELECT DISTINCT r.purchase_day FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE l.household_id = \(changes.household) AND l.alias_key = \(name.key) AND l.kind = 'item'
                AND \(owner) AND l.unit = 'piece' AND s.chain = \(name.chain) AND r.stage = \(Stage.confirmed.sql)
                AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL AND \(Visibility.isPublished())
            """
        ).decode(LocalDate.self).map { PackageSizePeriod(from: $0, size: size) }
        let own = try await ProductPackages.periods(of: name.product, changes)
        let days = try await ProductPackages.days(of: name.product, changes)
        let added = own.periods(joining: bought, keeping: days)
        guard !added.isEmpty else { return }
        try await ProductPackages.record(added, of: name.product, changes)
        try await ProductEdits.raiseRevision(name.product, changes)
    }

    /// Creates a product for several names, with the package sizes printed in all of them.
    private static func add(
        _ names: [WaitingName], as addition: Addition, _ changes: HouseholdTransaction
    ) async throws -> ProductID {
        try await NewProducts.add([addition.product], changes)
        for name in names.dropFirst() {
            try await recordPackage(of: NewAlias(name, of: addition.product.id), changes)
        }
        return addition.product.id
    }

    /// Matches names to products, and updates the prices of all receipts of a name's chain that contain the name.
    static func matchAndUpdatePrices(
        _ names: [(waiting: WaitingName, product: ProductID)], batch: MatchingBatchID? = nil,
        _ changes: HouseholdTransaction
    ) async throws {
        let aliases = names.map { NewAlias($0.waiting, of: $0.product, batch: batch) }
        try await NewProducts.match(aliases, changes)
        try await updatePrices(of: aliases, changes)
    }

    /// Updates the prices of all receipts of a name's chain that contain the name in a line without a product.
    static func updatePrices(of aliases: [NewAlias], _ changes: HouseholdTransaction) async throws {
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
        try await PrintedPackages.record(of: receipts, changes)
        try await PriceHistory.update(receipts, changes)
    }
}

extension NewAlias {
    init(_ name: WaitingName, of product: ProductID, batch: MatchingBatchID? = nil) {
        self.init(chain: name.chain, key: name.key, printedName: name.printedName, product: product, batch: batch)
    }
}
