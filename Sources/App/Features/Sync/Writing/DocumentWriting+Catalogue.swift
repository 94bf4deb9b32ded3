import Domain
import JSON
import Postgres

/// Stores, categories, comparison groups, printed names and preferences.
extension DocumentWriting {
    private static let faults: [String: any Error] = [
        "store_household_place_key": DocumentFault("name: another store at this place has this name"),
        "category_household_name_key": DocumentFault("name: another category has this name"),
        "comparison_group_household_name_key": DocumentFault("name: another comparison group has this name"),
        "product_household_name_key": DocumentFault("name: another product of the chain has this name"),
        "category_parent_fkey": DocumentFault("parent: unknown category"),
        "product_category_fkey": DocumentFault("category: unknown category"),
        "product_comparison_group_fkey": DocumentFault("group: unknown comparison group"),
        "product_alias_product_fkey": DocumentFault("product: unknown product"),
    ]

    /// Runs statements. Throws the `DocumentFault` in `faults` for the constraint that they violate.
    func runChecked(_ statements: [SQL]) async throws {
        _ = try await onConstraint(Self.faults) { try await changes.query(batch: statements) }
    }

    // MARK: Stores

    func store(_ edit: DocumentEdit) async throws {
        let name = (edit.text("name") ?? "").trimmed
        let (street, town) = ((edit.text("street") ?? "").trimmed, (edit.text("town") ?? "").trimmed)
        guard edit.before != nil else {
            let chain = edit.text("chain") ?? StoreNaming.chain(of: name, printed: "")
            try await runChecked([
                """
                INSERT INTO store (household_id, id, chain, name, street, town)
                VALUES (\(household), \(key.id), \(chain), \(name), \(street), \(town))
                """
            ])
            return
        }
        guard edit.changes("name") || edit.changes("street") || edit.changes("town") else { return }
        try await runChecked([
            """
            UPDATE store SET name = \(name), street = \(street), town = \(town),
                former_names = \(StoreEdits.formerNames(after: name)), revision = revision + 1
            WHERE household_id = \(household) AND id = \(key.id)
            """
        ])
    }

    func removeStore() async throws -> Int64? {
        let rows = try await changes.query(batch: [
            "SELECT 1 FROM receipt WHERE household_id = \(household) AND store_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM price WHERE household_id = \(household) AND store_id = \(key.id) LIMIT 1",
        ])
        guard rows.allSatisfy(\.isEmpty) else { return nil }
        return try await changes.query(
            "DELETE FROM store WHERE household_id = \(household) AND id = \(key.id) RETURNING revision"
        ).first(Int64.self) ?? 0
    }

    // MARK: Categories

    func category(_ edit: DocumentEdit) async throws {
        let name = (edit.text("name") ?? "").trimmed
        let parent: CategoryID? = edit.reference("parent")
        let colour = edit.text("colour") ?? CategoryColour.slate.rawValue
        let icon = edit.text("icon") ?? "tag"
        let position = Int32(clamping: edit.after["position"]?.integer ?? 0)
        if edit.changes("parent"), let parent { try await requireNoCycle(below: parent) }
        guard edit.before != nil else {
            try await runChecked([
                """
                INSERT INTO category (household_id, id, parent_id, name, colour, icon, position)
                VALUES (\(household), \(key.id), \(parent), \(name), \(colour), \(icon), \(position))
                """
            ])
            return try await defaultSplit(edit)
        }
        if ["name", "parent", "colour", "icon", "position"].contains(where: edit.changes) {
            try await runChecked([
                """
                UPDATE category SET name = \(name), parent_id = \(parent), colour = \(colour), icon = \(icon),
                    position = \(position), revision = revision + 1
                WHERE household_id = \(household) AND id = \(key.id)
                """
            ])
        }
        try await defaultSplit(edit)
    }

    /// Stores the default split of the category. Deletes it if the document has no method or no shares.
    private func defaultSplit(_ edit: DocumentEdit) async throws {
        let method = edit.text("split").flatMap(SplitMethod.init(rawValue:))
        let isChanged = edit.changes("split") || Self.shares(edit.before) != Self.shares(edit.after)
        guard isChanged, edit.before != nil || method != nil else { return }
        let weights = method == nil ? [:] : Self.shares(edit.after)
        _ = try await requireMembers(weights, edit)
        let split = weights.isEmpty ? nil : method.map { CategorySplit(method: $0, weights: weights) }
        try await CategorySplit.store(split, for: key.id.relabelled(), changes)
    }

    private func requireNoCycle(below parent: CategoryID) async throws {
        let rows = try await changes.query(
            """
            WITH RECURSIVE above AS (
                SELECT \(parent)::uuid AS id
                UNION SELECT c.parent_id FROM category c JOIN above ON c.id = above.id
                WHERE c.household_id = \(household) AND c.parent_id IS NOT NULL)
            SELECT 1 FROM above WHERE id = \(key.id)
            """)
        guard rows.isEmpty else {
            throw DocumentFault("parent: must be neither the category itself nor one of its subcategories")
        }
    }

    func removeCategory() async throws -> Int64? {
        let rows = try await changes.query(batch: [
            "SELECT 1 FROM product WHERE household_id = \(household) AND category_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM receipt_line WHERE household_id = \(household) AND category_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM category WHERE household_id = \(household) AND parent_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM spending_month WHERE household_id = \(household) AND category_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM expense WHERE household_id = \(household) AND category_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM budget WHERE household_id = \(household) AND category_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM expense_rule WHERE household_id = \(household) AND category_id = \(key.id) LIMIT 1",
            "SELECT 1 FROM recurring_expense WHERE household_id = \(household) AND category_id = \(key.id) LIMIT 1",
        ])
        guard rows.allSatisfy(\.isEmpty) else { return nil }
        return try await changes.query(
            "DELETE FROM category WHERE household_id = \(household) AND id = \(key.id) RETURNING revision"
        ).first(Int64.self) ?? 0
    }

    // MARK: Comparison groups

    func group(_ edit: DocumentEdit) async throws {
        let name = (edit.text("name") ?? "").trimmed
        let unit = edit.text("base_unit").flatMap(StoredUnit.init(rawValue:)) ?? .piece
        guard edit.before != nil else {
            try await runChecked([
                """
                INSERT INTO comparison_group (household_id, id, name, base_unit)
                VALUES (\(household), \(key.id), \(name), \(unit))
                """
            ])
            return
        }
        guard edit.changes("name") || edit.changes("base_unit") else { return }
        try await runChecked([
            """
            UPDATE comparison_group SET name = \(name), base_unit = \(unit), revision = revision + 1
            WHERE household_id = \(household) AND id = \(key.id)
            """
        ])
    }

    // MARK: Printed names

    func alias(_ edit: DocumentEdit) async throws {
        guard let product: ProductID = edit.reference("product") else { throw DocumentFault("product: is required") }
        let productChain = try await changes.query(
            "SELECT chain FROM product WHERE household_id = \(household) AND id = \(product)"
        ).first(String.self)
        guard let chain = productChain else { throw DocumentFault("product: unknown product") }
        if edit.before == nil {
            guard chain == edit.text("chain") else { throw DocumentFault("product: belongs to another chain") }
            let printed = edit.text("printed_name") ?? ""
            guard let alias = AliasKey(printed: printed)?.text else {
                throw DocumentFault("printed_name: must contain a letter or a digit")
            }
            let sameNames = try await changes.query(
                """
                SELECT 1 FROM product_alias
                WHERE household_id = \(household) AND chain = \(chain) AND alias_key = \(alias)
                """)
            guard sameNames.isEmpty else { throw DocumentFault("printed_name: the chain has this name already") }
            try await runChecked([
                """
                INSERT INTO product_alias (household_id, id, chain, alias_key, printed_name, product_id)
                VALUES (\(household), \(key.id), \(chain), \(alias), \(printed), \(product))
                """
            ])
            let new = NewAlias(chain: chain, key: alias, printedName: printed, product: product)
            try await NameMatching.recordPackage(of: new, changes)
            try await NameMatching.updatePrices(of: [new], changes)
        } else if edit.changes("product") {
            let stored = try await storedAlias()
            guard stored.chain == chain else { throw DocumentFault("product: belongs to another chain") }
            try await ProductEdits.endPackages(of: stored.product, leaving: stored.key, chain: chain, changes)
            let alias = NewAlias(
                chain: chain, key: stored.key, printedName: edit.text("printed_name") ?? stored.key, product: product)
            try await NameMatching.recordPackage(of: alias, leaving: stored.product, changes)
            let results = try await changes.query(batch: [
                """
                UPDATE product_alias SET product_id = \(product), batch_id = NULL, revision = revision + 1
                WHERE household_id = \(household) AND id = \(key.id)
                """,
                ProductEdits.movedLines(
                    named: stored.key, of: chain, from: stored.product, to: product, household),
            ])
            try await ProductEdits.raiseRevision(stored.product, changes)
            try await ProductEdits.updatePricesOfMovedLines(
                Set(try results[1].decode(ReceiptID.self)).sorted(), changes)
        }
    }

    private func storedAlias() async throws -> (chain: String, key: String, product: ProductID, revision: Int64) {
        let row = try await changes.query(
            """
            SELECT chain, alias_key, product_id, revision FROM product_alias
            WHERE household_id = \(household) AND id = \(key.id)
            """
        ).first((String, String, ProductID, Int64).self)
        guard let row else { throw DocumentFault("printed_name: no longer exists") }
        return row
    }

    func removeAlias() async throws -> Int64? {
        guard let stored = try? await storedAlias() else { return 0 }
        try await ProductEdits.endPackages(of: stored.product, leaving: stored.key, chain: stored.chain, changes)
        let results = try await changes.query(batch: [
            "DELETE FROM product_alias WHERE household_id = \(household) AND id = \(key.id)",
            ProductEdits.movedLines(
                named: stored.key, of: stored.chain, from: stored.product, to: nil, household),
        ])
        try await ProductEdits.raiseRevision(stored.product, changes)
        try await ProductEdits.updatePricesOfMovedLines(Set(try results[1].decode(ReceiptID.self)).sorted(), changes)
        return stored.revision
    }

    // MARK: Preferences

    func preferences(_ edit: DocumentEdit) async throws {
        guard let language = edit.text("language").flatMap(Language.init(rawValue:)) else { return }
        try await changes.query(batch: PersonPreferences.writing(language, of: member.person, household))
    }
}
