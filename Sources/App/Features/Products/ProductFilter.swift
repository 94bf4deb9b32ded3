import Domain
import HTTP
import Templates

/// The filter of the list of products, read from the query string.
struct ProductFilter: Sendable {
    /// The order of the products: most recently bought first, by name, or largest price increase first.
    enum Order: String, Sendable {
        case recent, name, rise
    }

    let search: String
    let category: CategoryID?
    let chain: String?
    let order: Order
    /// The number of products on earlier pages.
    let skipped: Int

    /// - Parameter skipped: the number from a cursor; nil to read it from the query.
    init(_ head: RequestHead, skipped: Int? = nil) {
        search = head.queryText("search", limit: TextLimit.search)
        category = head.query("category").flatMap { CategoryID($0) }
        chain = head.query("chain").flatMap { $0.isEmpty ? nil : String($0.prefix(80)) }
        order = head.query("sort").flatMap(Order.init(rawValue:)) ?? .recent
        self.skipped = skipped ?? head.query("after").flatMap { Int($0) }.map { min(max($0, 0), 100_000) } ?? 0
    }

    /// Whether a category, a chain or an order other than the default is chosen. The page then expands its filters.
    var isActive: Bool { category != nil || chain != nil || order != .recent }

    /// The address of the next page when this page shows `count` products.
    func href(after count: Int) -> String {
        var pairs: [(String, String)] = []
        if !search.isEmpty { pairs.append(("search", search)) }
        if let category { pairs.append(("category", category.description)) }
        if let chain { pairs.append(("chain", chain)) }
        if order != .recent { pairs.append(("sort", order.rawValue)) }
        pairs.append(("after", String(skipped + count)))
        return "/products?" + pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
    }
}
