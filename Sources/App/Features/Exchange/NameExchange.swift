import Domain
import Postgres
import Templates

/// Exports and imports the aliases of a household: printed names with their products.
struct NameExchange: Sendable {
    let database: Database

    /// The number of names in one transaction, during which other members cannot write.
    private static let batchSize = 250

    /// Returns all aliases, sorted by chain and name.
    func rows(_ member: Member, _ words: LanguageTexts) async throws -> [NameTable.Row] {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT a.chain, a.printed_name, d.name, d.category_id FROM product_alias a
                JOIN product d ON d.household_id = a.household_id AND d.id = a.product_id
                WHERE a.household_id = \(household) ORDER BY a.chain, a.alias_key
                """,
                Naming.query(household), Categories.query(household),
            ])
        let (naming, categories) = (try Naming(rows[1]), try Categories(rows[2]))
        return try rows[0].decode((String, String, String, CategoryID?).self).map { chain, printed, product, category in
            NameTable.Row(
                chain: naming.chain(chain), printedName: printed, product: product,
                category: category.map { categories.name($0, member.language, words) })
        }
    }

    /// Matches new names to the product with the given name in the same chain, and creates the product if necessary.
    /// Existing matches do not change.
    ///
    /// - Returns: the number of new names.
    func importRows(_ rows: [NameTable.Row], by member: Member) async throws -> Int {
        var count = 0
        for batch in rows.batches(of: Self.batchSize) {
            count += try await database.write(member.household, by: member.person) { changes in
                try await Self.importRows(batch, changes)
            }
        }
        return count
    }

    /// A name within a chain of stores.
    private struct NameInChain: Hashable {
        let chain: String
        let key: String
    }

    private static func importRows(_ rows: [NameTable.Row], _ changes: HouseholdTransaction) async throws -> Int {
        let household = changes.household
        let stored = try await changes.query(batch: [
            Naming.query(household),
            "SELECT chain, alias_key FROM product_alias WHERE household_id = \(household)",
            "SELECT id, chain, lower(name) FROM product WHERE household_id = \(household)",
            "SELECT id, name, key FROM category WHERE household_id = \(household) ORDER BY position DESC, id",
        ])
        let chains = Dictionary(try Naming(stored[0]).all.map { ($0.name, $0.chain) }) { first, _ in first }
        var known = Set(try stored[1].decode((String, String).self).map { NameInChain(chain: $0.0, key: $0.1) })
        var products: [NameInChain: ProductID] = [:]
        for (id, chain, name) in try stored[2].decode((ProductID, String, String).self) {
            products[NameInChain(chain: chain, key: name)] = id
        }
        let categories = ImportKeys.categories(try stored[3].decode((CategoryID, String, String).self))
        var added: [NewProduct] = []
        var aliases: [NewAlias] = []
        for row in rows {
            let chain = chains[row.chain] ?? StoreNaming.chain(of: row.chain, printed: "")
            guard let key = AliasKey(printed: row.printedName)?.text,
                known.insert(NameInChain(chain: chain, key: key)).inserted
            else { continue }
            let nameInChain = NameInChain(chain: chain, key: row.product.lowercased())
            let product = products[nameInChain] ?? .new()
            if products.updateValue(product, forKey: nameInChain) == nil {
                added.append(
                    NewProduct(
                        id: product, chain: chain, name: row.product,
                        category: row.category.flatMap { categories[ImportKeys.folded($0)] },
                        package: PackageSize(inName: row.printedName)?.total))
            }
            aliases.append(NewAlias(chain: chain, key: key, printedName: row.printedName, product: product))
        }
        try await NewProducts.add(added, changes)
        // A new product has the package size of its first name.
        var sized = Set(added.map(\.id))
        for alias in aliases where sized.remove(alias.product) == nil {
            try await NameMatching.recordPackage(of: alias, changes)
        }
        try await NewProducts.match(aliases, changes)
        try await NameMatching.updatePrices(of: aliases, changes)
        return aliases.count
    }
}
