import Templates

/// A row of the list of stores and categories.
struct StoreOrCategory: PageModel {
    let id: String
    let href: String
    let name: String
    /// The stored name, if `name` also has an address to distinguish stores of one name; nil otherwise.
    var ownName: String?
    /// A `CategoryColour`; nil for stores.
    var colour: String?
    let revision: Int64
    /// The number of receipts of the store or of products of the category, as text.
    let detail: String
    let isUsed: Bool
    /// The default split of a category; nil if it has none.
    var split: CategorySplit?
    /// The list of the store's receipts; nil for stores without receipts, and for categories.
    var receiptsHref: String?

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id }
        f.text("href") { $0.href }
        f.text("name") { $0.name }
        f.optionalText("colour") { $0.colour }
        f.text("detail") { $0.detail }
        f.flag("isUsed") { $0.isUsed }
        f.optionalText("receiptsHref") { $0.receiptsHref }
    }
}
