import Templates

/// A row of the list of stores and categories.
struct StoreOrCategory: PageModel {
    let id: String
    let href: String
    let name: String
    /// The stored name. Nil unless `name` also contains an address, which distinguishes stores with the same name.
    var ownName: String?
    /// A `CategoryColour`; nil for stores.
    var colour: String?
    /// The number of categories above a category; 0 for stores.
    var depth = 0
    /// The name of the category above; nil for main categories and stores.
    var parentName: String?
    let revision: Int64
    /// A text with the number of the store's receipts, or of the category's products.
    let detail: String
    let isUsed: Bool
    /// The default split of a category; nil if it has none.
    var split: CategorySplit?
    /// The address of the list of the store's receipts; nil for stores without receipts, and for categories.
    var receiptsHref: String?

    /// The maximum number of levels by which the page indents a row.
    private static let maximumIndent = 3

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id }
        f.text("href") { $0.href }
        f.text("name") { $0.name }
        f.optionalText("colour") { $0.colour }
        f.optionalText("level") { $0.depth == 0 ? nil : String(min($0.depth, Self.maximumIndent)) }
        f.optionalText("parentName") { $0.parentName }
        f.text("detail") { $0.detail }
        f.flag("isUsed") { $0.isUsed }
        f.optionalText("receiptsHref") { $0.receiptsHref }
    }
}
