import Domain
import Postgres

/// What a tap on the matching page does: each is one transaction.
struct NameBinding: Sendable {
    let database: Database

    /// What a printed name turned out to be.
    enum Answer: Sendable {
        case product(ProductID)
        /// A new product that belongs to a comparison group.
        case group(ComparisonGroupID)
        case new(name: String, category: CategoryID?)
        /// No product: not asked again.
        case ignored
    }

    /// - Throws: `Refusal.notFound` when the name does not wait any more or the product is not there.
    func bind(_ line: ReceiptLineID, to answer: Answer, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            let rows = try await changes.query(WaitingName.find(line, member))
            guard let name = try WaitingName.decode(rows).first else { throw Refusal.notFound }
            switch answer {
            case .ignored:
                try await changes.query(
                    """
                    INSERT INTO ignored_name (household_id, chain, alias_key)
                    VALUES (\(changes.household), \(name.chain), \(name.key)) ON CONFLICT DO NOTHING
                    """)
            case .product(let product):
                let found = try await changes.query(
                    """
                    SELECT 1 FROM product WHERE household_id = \(changes.household) AND id = \(product)
                        AND chain = \(name.chain)
                    """)
                guard !found.isEmpty else { throw Refusal.notFound }
                try await Self.alias(name, product, changes)
            case .group(let group):
                let found = try await changes.query(
                    """
                    SELECT (SELECT d.category_id FROM product d WHERE d.household_id = g.household_id
                        AND d.comparison_group_id = g.id AND d.category_id IS NOT NULL ORDER BY d.id LIMIT 1)
                    FROM comparison_group g WHERE g.household_id = \(changes.household) AND g.id = \(group)
                    """)
                guard let category = try found.first(CategoryID?.self) else { throw Refusal.notFound }
                try await Self.add(name, category: category, group: group, changes)
            case .new(let typed, let category):
                if let category {
                    let found = try await changes.query(
                        "SELECT 1 FROM category WHERE household_id = \(changes.household) AND id = \(category)")
                    guard !found.isEmpty else { throw Refusal.badRequest }
                }
                try await Self.add(name, as: typed, category: category, changes)
            }
        }
    }

    /// Every waiting name without a suggestion becomes a product; at most 500 at once.
    ///
    /// - Returns: how many products are new.
    func addAllWithoutSuggestion(by member: Member) async throws -> Int {
        try await database.write(member.household, by: member.person) { changes in
            let household = try await HouseholdCatalogue.load(changes)
            let names = try WaitingName.decode(try await changes.query(WaitingName.query(member, limit: 500)))
                .filter { household.catalogue.suggestions(for: $0.item).isEmpty }
            for name in names {
                try await Self.add(name, category: household.categories.id(key: name.categoryGuess), changes)
            }
            return names.count
        }
    }

    // MARK: Parts

    private static func add(
        _ name: WaitingName, as typed: String? = nil, category: CategoryID?, group: ComparisonGroupID? = nil,
        _ changes: HouseholdTransaction
    ) async throws {
        let product = try await NewProducts(chain: name.chain, changes: changes).add(
            name: typed ?? Vocabulary.german.readableName(name.printedName), category: category, group: group,
            package: name.package, from: name.firstDay ?? .firstPurchaseDay)
        try await alias(name, product, changes)
    }

    /// Teaches the name and books every receipt of the chain that carries it.
    private static func alias(
        _ name: WaitingName, _ product: ProductID, _ changes: HouseholdTransaction
    ) async throws {
        let alias = AliasID.new()
        let rows = try await changes.query(batch: [
            """
            INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
            VALUES (\(changes.household), \(alias), \(name.chain), \(name.key), \(name.printedName), \(product))
            ON CONFLICT (household_id, chain, alias_key)
            DO UPDATE SET product_id = excluded.product_id, revision = product_alias.revision + 1
            RETURNING id
            """,
            """
            SELECT DISTINCT l.receipt_id FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE l.household_id = \(changes.household) AND l.alias_key = \(name.key) AND l.kind = 'item'
                AND l.product_id IS NULL AND s.chain = \(name.chain)
            """,
        ])
        changes.changed(.alias, try rows[0].decode(AliasID.self))
        try await Booking.rebook(try rows[1].decode(ReceiptID.self), changes)
    }
}
