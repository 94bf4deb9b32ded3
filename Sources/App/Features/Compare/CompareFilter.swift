import Domain
import HTTP
import Templates

/// The filter of the list of comparisons, read from the query string.
struct CompareFilter: Sendable {
    let search: String
    let category: CategoryID?
    /// The number of comparisons on earlier pages.
    let skipped: Int

    init(_ head: RequestHead) {
        search = head.queryText("search", limit: TextLimit.search)
        category = head.query("category").flatMap { CategoryID($0) }
        skipped = head.query("after").flatMap { Int($0) }.map { min(max($0, 0), 100_000) } ?? 0
    }

    /// Whether a filter other than the search text restricts the list. The page then expands its filters.
    var isActive: Bool { category != nil }

    /// The address of the next page, after `count` comparisons.
    func href(after count: Int) -> String {
        var pairs: [(String, String)] = []
        if !search.isEmpty { pairs.append(("search", search)) }
        if let category { pairs.append(("category", category.description)) }
        pairs.append(("after", String(skipped + count)))
        return "/compare?" + pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
    }
}

extension HouseholdCatalogue {
    /// Returns the comparisons that match the filter: with a search text the best match first, else by name.
    func groups(_ filter: CompareFilter, _ slowWork: SlowWork) async throws -> [ComparisonGroupID] {
        var groups = groupOrder
        if let category = filter.category {
            let matching = Set(categories.below(category))
            groups = groups.filter { group in self.groups[group]?.category.map { matching.contains($0) } ?? false }
        }
        guard !filter.search.isEmpty else { return groups }
        let names = groups.flatMap { group in
            [(id: group, name: self.groups[group]?.name ?? "")]
                + (productsByGroup[group] ?? []).map { (id: group, name: products[$0]?.name ?? "") }
        }
        return try await slowWork.run { NameSearch(names).find(filter.search, limit: names.count).map(\.id) }
    }
}
