/// A household's products and comparison groups, prepared for matching. Names are analysed once.
package struct Catalogue: Sendable {
    struct Entry: Sendable {
        let product: CatalogueProduct
        let names: [String]
        let profiles: [NameProfile]
        let chains: Set<ChainID>
        let size: Quantity?
        let basePrice: UnitPrice?
        let category: String?
        let isOrganic: Bool
    }

    struct GroupEntry: Sendable {
        let group: CatalogueGroup
        let profile: NameProfile
    }

    let vocabulary: Vocabulary
    private(set) var entries: [Entry] = []
    private(set) var groups: [GroupEntry] = []
    /// The index in `entries` by product.
    private var positions: [ProductID: Int] = [:]
    /// The indices in `entries` by group.
    private var members: [ComparisonGroupID: Set<Int>] = [:]
    /// The products to which a printed name is matched, by chain and by the key of the name.
    private var matched: [ChainID: [AliasKey: Set<ProductID>]] = [:]
    /// The number of products with a word, by the folded word in UTF-8.
    private var frequency: [[UInt8]: Int] = [:]

    /// - Parameter old: an earlier catalogue. Its names are not analysed again.
    /// - Complexity: linear in the number of names.
    package init(
        products: [CatalogueProduct], groups: [CatalogueGroup] = [], vocabulary: Vocabulary = .german,
        reusing old: Catalogue? = nil
    ) {
        self.vocabulary = vocabulary
        entries.reserveCapacity(products.count)
        for group in groups { put(group) }
        for product in products { put(product, reusing: old?.entry(of: product.id)) }
    }

    /// Adds the product, or replaces the one with the same identifier.
    package mutating func put(_ product: CatalogueProduct) {
        put(product, reusing: positions[product.id].map { entries[$0] })
    }

    /// - Parameter old: an entry with computed values that are used again if the product has the same name.
    private mutating func put(_ product: CatalogueProduct, reusing old: Entry?) {
        let known = positions[product.id]
        if let known { unindex(entries[known], at: known) }
        let entry = Entry(product, vocabulary: vocabulary, reusing: old)
        let position = known ?? entries.count
        if known == nil { entries.append(entry) } else { entries[position] = entry }
        positions[product.id] = position
        if let group = product.group { members[group, default: []].insert(position) }
        for word in entry.distinctWords { frequency[word, default: 0] += 1 }
        for alias in product.aliases {
            guard let key = AliasKey(printed: alias.printedName) else { continue }
            matched[alias.chain, default: [:]][key, default: []].insert(product.id)
        }
    }

    /// Adds the group, or replaces the one with the same identifier.
    package mutating func put(_ group: CatalogueGroup) {
        let entry = GroupEntry(group: group, profile: NameProfile(group.name, vocabulary: vocabulary))
        if let known = groups.firstIndex(where: { $0.group.id == group.id }) {
            groups[known] = entry
        } else {
            groups.append(entry)
        }
    }

    /// Removes an entry from the indexes, before it is replaced.
    private mutating func unindex(_ entry: Entry, at position: Int) {
        if let group = entry.product.group { members[group]?.remove(position) }
        for word in entry.distinctWords { frequency[word, default: 1] -= 1 }
        for alias in entry.product.aliases {
            guard let key = AliasKey(printed: alias.printedName) else { continue }
            matched[alias.chain]?[key]?.remove(entry.product.id)
        }
    }

    func members(of group: ComparisonGroupID) -> [Entry] { (members[group] ?? []).sorted().map { entries[$0] } }

    func entry(of product: ProductID) -> Entry? { positions[product].map { entries[$0] } }

    /// The product that a chain's printed name is matched to, found by the key of an alias and never by similarity. Nil
    /// if two products have the name.
    package func matchedProduct(printedName: some StringProtocol, chain: ChainID) -> ProductID? {
        guard let key = AliasKey(printed: printedName) else { return nil }
        guard let products = matched[chain]?[key], products.count == 1 else { return nil }
        return products.first
    }

    /// The weight of a word: rare words count more than common ones.
    func informativeness(_ word: NameProfile.Word) -> Double {
        let count = Double(frequency[word.text] ?? 0)
        return word.weight * (1.2 / (1.2 + 0.15 * min(count, 12)))
    }
}

extension Catalogue.Entry {
    fileprivate init(_ product: CatalogueProduct, vocabulary: Vocabulary, reusing old: Catalogue.Entry?) {
        self.product = product
        var names: [String] = []
        for name in product.aliases.map(\.printedName) + [product.name] where !names.contains(name) {
            names.append(name)
        }
        self.names = names
        profiles = names.map { name in
            old.flatMap { old in old.names.firstIndex(of: name).map { old.profiles[$0] } }
                ?? NameProfile(name, vocabulary: vocabulary)
        }
        chains = Set(product.aliases.map(\.chain))
        let size = product.size ?? profiles.lazy.compactMap(\.size).first?.total
        self.size = size
        basePrice = product.price.flatMap { price in size.flatMap { try? UnitPrice.base(price, for: $0) } }
        category = product.category ?? profiles.lazy.compactMap(\.categoryGuess).first
        isOrganic = profiles.contains { $0.isOrganic }
    }

    fileprivate var distinctWords: Set<[UInt8]> { Set(profiles.flatMap { $0.words.map(\.text) }) }
}
