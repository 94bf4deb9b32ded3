import Domain
import JSON
import Postgres

/// Writes products and the sizes of their packages.
extension DocumentWriting {
    func product(_ edit: DocumentEdit) async throws {
        let id: ProductID = key.id.relabelled()
        let name = (edit.text("name") ?? "").trimmed
        let category: CategoryID? = edit.reference("category")
        let group: ComparisonGroupID? = edit.reference("group")
        if edit.before == nil {
            try await runChecked([
                """
                INSERT INTO product (household_id, id, chain, name, category_id, comparison_group_id)
                VALUES (\(household), \(id), \(edit.text("chain") ?? ""), \(name), \(category), \(group))
                """
            ])
        } else if ["name", "category", "group", "packages"].contains(where: edit.changes) {
            try await runChecked([
                """
                UPDATE product SET name = \(name), category_id = \(category), comparison_group_id = \(group),
                    revision = revision + 1
                WHERE household_id = \(household) AND id = \(id)
                """
            ])
        }
        if edit.changes("packages") { try await packages(edit, of: id) }
        // A new category changes the spending by category of all receipts with the product; a new package size changes
        // their base prices.
        if edit.before != nil, edit.changes("category") || edit.changes("packages") {
            try await PriceHistory.update(linesOf: [id], changes)
        }
    }

    private func packages(_ edit: DocumentEdit, of id: ProductID) async throws {
        let before = Self.sizes(edit.before)
        let after = Self.sizes(edit.after)
        let removedDays = before.keys.filter { after[$0] == nil }.sorted()
        let changedSizes = after.filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }
        var statements: [SQL] = []
        if !removedDays.isEmpty {
            statements.append(
                """
                DELETE FROM product_package
                WHERE household_id = \(household) AND product_id = \(id) AND valid_from = ANY(\(removedDays))
                """)
        }
        if !changedSizes.isEmpty {
            statements.append(
                """
                INSERT INTO product_package (household_id, product_id, valid_from, amount_thousandths, unit, by_hand)
                SELECT \(household), \(id), n.*, true FROM unnest(\(changedSizes.map(\.key)),
                    \(changedSizes.map(\.value.thousandths)), \(changedSizes.map(\.value.unit))) AS n
                ON CONFLICT (household_id, product_id, valid_from)
                DO UPDATE SET amount_thousandths = excluded.amount_thousandths, unit = excluded.unit, by_hand = true
                """)
        }
        if !statements.isEmpty { try await changes.query(batch: statements) }
    }

    private struct Size: Equatable {
        let thousandths: Int64
        let unit: StoredUnit
    }

    private static func sizes(_ body: JSONObject?) -> [LocalDate: Size] {
        var sizes: [LocalDate: Size] = [:]
        for package in body?["packages"]?.array ?? [] {
            guard let day = package["valid_from"]?.string.flatMap({ LocalDate(parsing: $0) }),
                let amount = package["amount_thousandths"]?.integer,
                let unit = package["unit"]?.string.flatMap(StoredUnit.init(rawValue:))
            else { continue }
            sizes[day] = Size(thousandths: amount, unit: unit)
        }
        return sizes
    }
}
