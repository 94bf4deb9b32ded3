import Domain
import Postgres

/// The initial category tree of a household.
enum DefaultCategories {
    static func insert(_ language: Language, _ changes: HouseholdTransaction) async throws {
        var ids: [String: CategoryID] = [:]
        for template in CategoryTemplate.all { ids[template.key] = .new() }
        // Insert parents before their children, as the foreign key requires.
        var statements: [SQL] = []
        for (position, template) in CategoryTemplate.all.enumerated() {
            guard let id = ids[template.key] else { continue }
            statements.append(
                """
                INSERT INTO category (household_id, id, parent_id, key, name, colour, icon, position)
                VALUES (\(changes.household), \(id), \(template.parent.flatMap { ids[$0] }), \(template.key),
                    \(template.name(language)), \(template.colour.rawValue), \(template.icon), \(Int32(position)))
                """)
        }
        try await changes.query(batch: statements)
        changes.changed(.category, ids.values.sorted())
    }
}
