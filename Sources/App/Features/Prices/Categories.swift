import Domain
import Postgres
import Templates

/// A household's categories, parents before their children.
struct Categories: Sendable {
    struct Category: Sendable {
        let id: CategoryID
        let parent: CategoryID?
        /// The key of a built-in category; empty for others.
        let key: String
        let name: String
        let colour: String
        let icon: String
    }

    let all: [Category]
    private let byID: [CategoryID: Category]

    static func query(_ household: HouseholdID) -> SQL {
        """
        SELECT id, parent_id, key, name, colour, icon FROM category WHERE household_id = \(household)
        ORDER BY position, name, id LIMIT 500
        """
    }

    init(_ rows: Rows) throws {
        let categories = try rows.decode((CategoryID, CategoryID?, String, String, String, String).self).map {
            id, parent, key, name, colour, icon in
            Category(id: id, parent: parent, key: key, name: name, colour: colour, icon: icon)
        }
        byID = Dictionary(categories.map { ($0.id, $0) }) { first, _ in first }
        let children = Dictionary(grouping: categories, by: \.parent)
        var all: [Category] = []
        func append(_ parent: CategoryID?, depth: Int) {
            guard depth < Self.maximumLevels else { return }
            for category in children[parent] ?? [] {
                all.append(category)
                append(category.id, depth: depth + 1)
            }
        }
        append(nil, depth: 0)
        self.all = all
    }

    /// The number of levels of the tree that pages show.
    private static let maximumLevels = 8

    /// The name in a language. Built-in categories are translated until they are renamed.
    func name(_ id: CategoryID?, _ language: Language, _ words: LanguageTexts) -> String {
        guard let id, let category = byID[id] else { return words["server.category.none"] }
        return Self.name(category, language)
    }

    /// Returns the name of the category's colour in the design tokens. The colour is `slate` if the category has no
    /// valid colour.
    func colour(_ id: CategoryID?) -> String {
        let stored = id.flatMap { byID[$0] }.flatMap { CategoryColour(rawValue: $0.colour) }
        return (stored ?? .slate).rawValue
    }

    /// Returns the name of the category's icon in the design system; `tag` for nil.
    func icon(_ id: CategoryID?) -> String { id.flatMap { byID[$0] }?.icon ?? "tag" }

    /// The main category of `id`: the category at the top of the tree; within groceries, the category directly below
    /// groceries.
    func top(_ id: CategoryID) -> CategoryID {
        var current = id
        for _ in 0..<Self.maximumLevels {
            guard let parent = byID[current]?.parent, byID[parent]?.key != "groceries" else { break }
            current = parent
        }
        return current
    }

    /// The category at the top of the tree above `id`.
    func root(_ id: CategoryID) -> CategoryID {
        let top = top(id)
        return byID[top]?.parent ?? top
    }

    /// Whether `categories` contain a direct subcategory of `id`. If all `categories` are main categories, this can be
    /// true only for groceries.
    func hasSubcategory(of id: CategoryID?, among categories: some Sequence<CategoryID?>) -> Bool {
        guard let id else { return false }
        return categories.contains { category in category.flatMap { byID[$0]?.parent } == id }
    }

    /// `id` and all its descendants.
    func below(_ id: CategoryID) -> [CategoryID] {
        guard byID[id] != nil else { return [] }
        var found = [id]
        var position = 0
        let children = Dictionary(grouping: all, by: \.parent)
        while position < found.count {
            found += (children[found[position]] ?? []).map(\.id)
            position += 1
        }
        return found
    }

    /// The category with this name in a language, in any letter case.
    func id(named text: String, _ language: Language) -> CategoryID? {
        let wanted = text.lowercased()
        return all.first { Self.name($0, language).lowercased() == wanted }?.id
    }

    func contains(_ id: CategoryID) -> Bool { byID[id] != nil }

    /// Sorts sums by category, the highest first. Equal sums are in the order of the tree, followed by the sum without
    /// a category.
    func sorted<Sum>(
        _ sums: [CategoryID?: Sum], by amounts: (Sum) -> (now: Int64, before: Int64)
    ) -> [(key: CategoryID?, value: Sum)] {
        let places = Dictionary(zip(all.map(\.id), all.indices)) { first, _ in first }
        func place(_ id: CategoryID?) -> Int { id.flatMap { places[$0] } ?? all.count }
        return sums.sorted { left, right in
            let (one, other) = (amounts(left.value), amounts(right.value))
            return (one.now, one.before, place(right.key)) > (other.now, other.before, place(left.key))
        }
    }

    /// The category with a built-in key.
    func id(key: String?) -> CategoryID? {
        guard let key, !key.isEmpty else { return nil }
        return all.first { $0.key == key }?.id
    }

    /// The key of the main category of `id` for the matching of names: its built-in key, or its identifier if it has no
    /// key.
    func matchingKey(_ id: CategoryID?) -> String? {
        guard let id, let category = byID[id] else { return nil }
        let top = byID[self.top(category.id)] ?? category
        return top.key.isEmpty ? top.id.description : top.key
    }

    /// The entries of a select box, starting with "no category". Lower levels are indented.
    func choices(_ selected: CategoryID?, _ language: Language, _ words: LanguageTexts) -> [Choice] {
        [Choice(value: "", label: words["server.category.none"], isSelected: selected == nil)]
            + options(selected, language)
    }

    /// The entries without "no category".
    func options(_ selected: CategoryID?, _ language: Language) -> [Choice] {
        all.map { category in
            Choice(
                value: category.id.description,
                label: Self.indented(Self.name(category, language), by: depth(category)),
                isSelected: category.id == selected)
        }
    }

    /// Returns the label of an entry of a select box, indented by em spaces.
    static func indented(_ name: String, by depth: Int) -> String {
        String(repeating: "\u{2003}", count: depth) + name
    }

    /// The number of levels above a category.
    func depth(_ category: Category) -> Int {
        var depth = 0
        var parent = category.parent
        while let id = parent, depth < Self.maximumLevels {
            depth += 1
            parent = byID[id]?.parent
        }
        return depth
    }

    private static func name(_ category: Category, _ language: Language) -> String {
        guard let template = CategoryTemplate.template(category.key),
            Language.allCases.contains(where: { template.name($0) == category.name })
        else { return category.name }
        return template.name(language)
    }
}
