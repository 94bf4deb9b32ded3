import Domain
import Postgres
import Templates

/// The queries of the stores and categories pages; they take one round trip.
struct StoresAndCategoriesQueries: Sendable {
    let database: Database

    /// Loads the stores by name and the categories in the order of the tree. Leaves out stores that occur only on
    /// hidden receipts of other members.
    func load(
        _ member: Member, _ words: LanguageTexts
    ) async throws -> (stores: [StoreOrCategory], categories: [StoreOrCategory]) {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT s.id, s.name, s.revision, coalesce(n.visible, 0)::bigint,
                    n.store_id IS NOT NULL
                    OR EXISTS (SELECT 1 FROM price p WHERE p.household_id = s.household_id AND p.store_id = s.id)
                FROM store s
                LEFT JOIN (
                    SELECT r.store_id, count(*) FILTER (WHERE \(Visibility.condition(member))) AS visible
                    FROM receipt r WHERE r.household_id = \(household) GROUP BY 1) n ON n.store_id = s.id
                WHERE s.household_id = \(household) AND \(Visibility.storeCondition(member))
                ORDER BY s.name, s.id LIMIT 500
                """,
                """
                SELECT c.id, c.revision, coalesce(d.products, 0)::bigint,
                    d.products IS NOT NULL OR l.category_id IS NOT NULL
                    OR EXISTS (SELECT 1 FROM category k WHERE k.household_id = c.household_id AND k.parent_id = c.id)
                    OR EXISTS (SELECT 1 FROM spending_month m
                        WHERE m.household_id = c.household_id AND m.category_id = c.id)
                    OR EXISTS (SELECT 1 FROM expense e
                        WHERE e.household_id = c.household_id AND e.category_id = c.id)
                    OR EXISTS (SELECT 1 FROM budget b
                        WHERE b.household_id = c.household_id AND b.category_id = c.id)
                    OR EXISTS (SELECT 1 FROM expense_rule x
                        WHERE x.household_id = c.household_id AND x.category_id = c.id)
                    OR EXISTS (SELECT 1 FROM recurring_expense x
                        WHERE x.household_id = c.household_id AND x.category_id = c.id)
                FROM category c
                LEFT JOIN (SELECT category_id, count(*) AS products FROM product WHERE household_id = \(household)
                    GROUP BY 1) d ON d.category_id = c.id
                LEFT JOIN (SELECT DISTINCT category_id FROM receipt_line WHERE household_id = \(household)) l
                    ON l.category_id = c.id
                WHERE c.household_id = \(household)
                """,
                Naming.query(household), Categories.query(household), CategorySplit.query(household),
            ])
        let splits = try CategorySplit.decode(rows[4])
        let (naming, categories) = (try Naming(rows[2]), try Categories(rows[3]))
        let stores = try rows[0].decode((StoreID, String, Int64, Int64, Bool).self).map { row in
            let (id, name, revision, count, isUsed) = row
            return StoreOrCategory(
                id: id.description, href: "/settings/stores/\(id)", name: naming.store(id), ownName: name,
                revision: revision, detail: words["server.places.receipts", ["count": .number(String(count))]],
                isUsed: isUsed)
        }
        let facts = Dictionary(
            try rows[1].decode((CategoryID, Int64, Int64, Bool).self).map { ($0.0, $0) }
        ) { first, _ in first }
        let entries = categories.all.compactMap { category -> StoreOrCategory? in
            guard let (id, revision, count, isUsed) = facts[category.id] else { return nil }
            return StoreOrCategory(
                id: id.description, href: "/settings/categories/\(id)",
                name: categories.name(id, member.language, words), colour: categories.colour(id), revision: revision,
                detail: words["server.places.products", ["count": .number(String(count))]], isUsed: isUsed,
                split: splits[id])
        }
        return (stores, entries)
    }

    /// Loads the names of the people whom a default split names, by name.
    func people(of split: CategorySplit, _ household: HouseholdID) async throws -> [(id: PersonID, name: String)] {
        try await database.read(
            household,
            "SELECT p.id, p.name FROM person p WHERE p.id = ANY(\(split.weights.keys.sorted())) ORDER BY p.name, p.id"
        ).decode((PersonID, String).self).map { (id: $0.0, name: $0.1) }
    }
}
