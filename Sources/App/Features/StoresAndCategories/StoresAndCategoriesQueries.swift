import Domain
import Postgres
import Templates

/// The queries of the stores and categories pages; they take one round trip.
struct StoresAndCategoriesQueries: Sendable {
    let database: Database

    /// Loads the stores, sorted by name, and the categories in the order of the tree. Leaves out stores whose receipts
    /// are all hidden receipts of other members.
    func load(
        _ member: Member, _ words: LanguageTexts
    ) async throws -> (stores: [StoreOrCategory], categories: [StoreOrCategory]) {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                Self.stores(member), Self.categories(household), Naming.query(household),
                Categories.query(household), CategorySplit.query(household),
                """
                SELECT category_id, count(*) FROM product
                WHERE household_id = \(household) AND category_id IS NOT NULL GROUP BY category_id
                """,
            ])
        let splits = try CategorySplit.decode(rows[4])
        let (naming, categories) = (try Naming(rows[2]), try Categories(rows[3]))
        let stores = try rows[0].decode((StoreID, String, Int64, Int64, Bool).self).map {
            id, name, revision, count, used in
            StoreOrCategory(
                id: id.description, href: "/settings/stores/\(id)", name: naming.store(id), ownName: name,
                revision: revision,
                detail: used && count == 0 ? words["server.places.discarded"] : Self.receipts(count, words),
                isUsed: used, receiptsHref: count > 0 ? "/receipts?store=\(id)" : nil)
        }
        let facts = Dictionary(
            try rows[1].decode((CategoryID, Int64, Bool).self).map { ($0.0, $0) }
        ) { first, _ in first }
        let products = Dictionary(uniqueKeysWithValues: try rows[5].decode((CategoryID, Int64).self).map { ($0, $1) })
        let entries = categories.all.compactMap { category -> StoreOrCategory? in
            guard let (id, revision, isUsed) = facts[category.id] else { return nil }
            let count = products[id] ?? 0
            return StoreOrCategory(
                id: id.description, href: "/settings/categories/\(id)",
                name: categories.name(id, member.language, words), colour: categories.colour(id),
                depth: categories.depth(category),
                parentName: category.parent.map { categories.name($0, member.language, words) }, revision: revision,
                // Shows no count for a category that is used only by expenses or subcategories.
                detail: count == 0 && isUsed ? "" : words["server.places.products", ["count": .number(String(count))]],
                isUsed: isUsed || count > 0, split: splits[id])
        }
        return (stores, entries)
    }

    /// Receipts of a store are counted only up to this number, so that the query does not become slower with more
    /// receipts.
    private static let maximumCounted: Int64 = 100

    private static func receipts(_ count: Int64, _ words: LanguageTexts) -> String {
        count > maximumCounted
            ? words["server.places.many-receipts", ["count": .number(String(maximumCounted))]]
            : words["server.places.receipts", ["count": .number(String(count))]]
    }

    /// Selects the stores, sorted by name: columns id, name, revision, number of visible receipts that are not
    /// discarded, at most `maximumCounted` + 1, and whether there is a visible receipt. `OFFSET 0` makes the planner
    /// look up the receipts of each store; otherwise it could read all receipts of the household.
    static func stores(_ member: Member) -> SQL {
        """
        SELECT s.id, s.name, s.revision,
            (SELECT count(*) FROM (SELECT 1 FROM receipt r
                WHERE r.household_id = s.household_id AND r.store_id = s.id AND r.discarded_at IS NULL
                    AND \(Visibility.condition(member))
                LIMIT \(maximumCounted + 1)) n),
            EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = s.household_id AND r.store_id = s.id
                AND \(Visibility.condition(member)) OFFSET 0)
        FROM store s WHERE s.household_id = \(member.household) AND \(Visibility.storeCondition(member))
        ORDER BY s.name, s.id LIMIT 500
        """
    }

    /// Selects the categories: columns id, revision, whether documents other than products refer to the category.
    ///
    /// `OFFSET 0` makes the planner search an index for each category; otherwise it could read all lines or expenses of
    /// the household.
    static func categories(_ household: HouseholdID) -> SQL {
        """
        SELECT c.id, c.revision,
            EXISTS (SELECT 1 FROM receipt_line l
                WHERE l.household_id = c.household_id AND l.category_id = c.id OFFSET 0)
            OR EXISTS (SELECT 1 FROM expense e
                WHERE e.household_id = c.household_id AND e.category_id = c.id OFFSET 0)
            OR c.id IN (SELECT m.category_id FROM spending_month m WHERE m.household_id = \(household))
            OR EXISTS (SELECT 1 FROM category k WHERE k.household_id = c.household_id AND k.parent_id = c.id)
            OR EXISTS (SELECT 1 FROM budget b WHERE b.household_id = c.household_id AND b.category_id = c.id)
            OR EXISTS (SELECT 1 FROM expense_rule x WHERE x.household_id = c.household_id AND x.category_id = c.id)
            OR EXISTS (SELECT 1 FROM recurring_expense x
                WHERE x.household_id = c.household_id AND x.category_id = c.id)
        FROM category c WHERE c.household_id = \(household)
        """
    }

    /// Loads the people in a default split, sorted by name.
    func people(of split: CategorySplit, _ household: HouseholdID) async throws -> [(id: PersonID, name: String)] {
        try await database.read(
            household,
            """
            SELECT p.id, \(PersonName.distinct(household)) FROM person p
            WHERE p.id = ANY(\(split.weights.keys.sorted())) ORDER BY p.name, p.id
            """
        ).decode((PersonID, String).self).map { (id: $0.0, name: $0.1) }
    }
}
