import Domain
import Postgres

/// Adds products of one chain's naming within a household transaction, each under a name that is free.
struct NewProducts {
    let chain: String
    let changes: HouseholdTransaction

    /// - Parameters:
    ///   - name: cut to 120 characters; a figure is put behind it when the chain has it already.
    ///   - package: what one piece holds; nothing for weighed goods.
    ///   - day: from when the package is sold.
    func add(
        name: String, category: CategoryID?, group: ComparisonGroupID? = nil, package: Quantity?, from day: LocalDate
    ) async throws -> ProductID {
        let id = ProductID.new()
        let wanted = name.trimmed.isEmpty ? "?" : String(name.trimmed.prefix(110))
        let taken = Set(
            try await changes.query(
                """
                SELECT name FROM product
                WHERE household_id = \(changes.household) AND chain = \(chain) AND starts_with(name, \(wanted))
                """
            ).decode(String.self))
        let free = taken.contains(wanted) ? (2...).lazy.map { "\(wanted) \($0)" }.first { !taken.contains($0) } : nil
        var statements: [SQL] = [
            """
            INSERT INTO product (household_id, id, chain, name, category_id, comparison_group_id)
            VALUES (\(changes.household), \(id), \(chain), \(free ?? wanted), \(category), \(group))
            """
        ]
        if let stored = package?.stored, (1...1_000_000_000).contains(stored.thousandths) {
            statements.append(
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit)
                VALUES (\(changes.household), \(id), \(day), \(stored.thousandths), \(stored.unit))
                """)
        }
        try await changes.query(batch: statements)
        changes.changed(.product, id)
        return id
    }
}
