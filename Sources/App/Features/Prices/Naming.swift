import Domain
import Postgres
import Templates

/// Names of a household's stores and chains.
struct Naming: Sendable {
    private var chains: [String: String] = [:]
    private var stores: [StoreID: String] = [:]

    /// - Parameter condition: over the store `s`.
    static func query(_ household: HouseholdID, where condition: SQL = "true") -> SQL {
        """
        SELECT s.id, s.chain, c.name, s.name, s.street, s.town FROM store s LEFT JOIN chain c ON c.id = s.chain
        WHERE s.household_id = \(household) AND \(condition) ORDER BY s.created_at, s.id
        """
    }

    init(_ rows: Rows) throws {
        let stores = try rows.decode((StoreID, String, String?, String, String, String).self)
        let names = Dictionary(grouping: stores, by: \.3)
        for (id, chain, chainName, name, street, town) in stores {
            if let chainName {
                chains[chain] = chainName
            } else if let known = chains[chain] {
                // Stores of an unknown chain: the common prefix of their names.
                let shared = known.commonPrefix(with: name)
                chains[chain] = shared.isEmpty ? known : shared
            } else {
                chains[chain] = name
            }
            let place = [street, town].filter { !$0.isEmpty }.joined(separator: ", ")
            let isPlain = names[name]?.count == 1 || place.isEmpty
            self.stores[id] = isPlain ? name : "\(name), \(place)"
        }
    }

    func chain(_ chain: String) -> String { chains[chain] ?? chain.prefix(1).uppercased() + chain.dropFirst() }

    func store(_ store: StoreID) -> String { stores[store] ?? "" }

    /// Chains with their names, in alphabetical order.
    var all: [(chain: String, name: String)] {
        chains.map { (chain: $0.key, name: $0.value) }.sorted { ($0.name, $0.chain) < ($1.name, $1.chain) }
    }
}

extension String {
    /// The common prefix of whole words.
    fileprivate func commonPrefix(with other: String) -> String {
        let left = split(separator: " ")
        let right = other.split(separator: " ")
        var shared: [Substring] = []
        for (one, two) in zip(left, right) {
            guard one == two else { break }
            shared.append(one)
        }
        var result = shared.joined(separator: " ")
        while let last = result.last, last == "," || last == "-" || last == " " { result.removeLast() }
        return result
    }
}

/// A household's categories, parents before their children.
struct Categories: Sendable {
    struct Category: Sendable {
        let id: CategoryID
        let parent: CategoryID?
        let key: String
        let name: String
        let colour: String
    }

    let all: [Category]
    private let byID: [CategoryID: Category]

    static func query(_ household: HouseholdID) -> SQL {
        """
        SELECT id, parent_id, key, name, colour FROM category WHERE household_id = \(household)
        ORDER BY position, name, id LIMIT 500
        """
    }

    init(_ rows: Rows) throws {
        let categories = try rows.decode((CategoryID, CategoryID?, String, String, String).self).map {
            Category(id: $0.0, parent: $0.1, key: $0.2, name: $0.3, colour: $0.4)
        }
        byID = Dictionary(categories.map { ($0.id, $0) }) { first, _ in first }
        let children = Dictionary(grouping: categories, by: \.parent)
        // Deeper levels are listed with their second: no page shows more.
        all = (children[nil] ?? []).flatMap { top in
            [top] + (children[top.id] ?? []).flatMap { [$0] + (children[$0.id] ?? []) }
        }
    }

    /// The name in a language; built-in categories are translated until they are renamed.
    func name(_ id: CategoryID?, _ language: Language, _ words: LanguageTexts) -> String {
        guard let id, let category = byID[id] else { return words["server.category.none"] }
        return Self.name(category, language)
    }

    /// A colour of the design tokens.
    func colour(_ id: CategoryID?) -> String {
        let stored = id.flatMap { byID[$0] }.flatMap { CategoryColour(rawValue: $0.colour) }
        return (stored ?? .slate).rawValue
    }

    /// The category at the top of the tree above `id`.
    func top(_ id: CategoryID) -> CategoryID {
        var current = id
        for _ in 0..<8 {
            guard let parent = byID[current]?.parent else { break }
            current = parent
        }
        return current
    }

    /// The category that a built-in key names.
    func id(key: String?) -> CategoryID? {
        guard let key, !key.isEmpty else { return nil }
        return all.first { $0.key == key }?.id
    }

    /// A stable text that equal categories share, for matching.
    func matchingKey(_ id: CategoryID?) -> String? {
        guard let id, let category = byID[id] else { return nil }
        let top = byID[self.top(category.id)] ?? category
        return top.key.isEmpty ? top.id.description : top.key
    }

    /// The entries of a select box, with none in front; second levels are set in.
    func choices(_ selected: CategoryID?, _ language: Language, _ words: LanguageTexts) -> [Choice] {
        [Choice(value: "", label: words["server.category.none"], isSelected: selected == nil)]
            + options(selected, language)
    }

    /// The categories alone.
    func options(_ selected: CategoryID?, _ language: Language) -> [Choice] {
        all.map { category in
            let inset = category.parent == nil ? "" : "\u{2003}"
            return Choice(
                value: category.id.description, label: inset + Self.name(category, language),
                isSelected: category.id == selected)
        }
    }

    private static func name(_ category: Category, _ language: Language) -> String {
        guard let template = CategoryTemplate.template(category.key),
            Language.allCases.contains(where: { template.name($0) == category.name })
        else { return category.name }
        return template.name(language)
    }
}
