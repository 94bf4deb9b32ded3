import Templates

/// A store or a category, and the number of its uses.
struct StoreOrCategory: PageModel {
    let id: String
    let href: String
    let name: String
    /// A `CategoryColour`; nil for stores.
    var colour: String?
    let revision: Int64
    let detail: String
    let isUsed: Bool

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id }
        f.text("href") { $0.href }
        f.text("name") { $0.name }
        f.optionalText("colour") { $0.colour }
        f.text("detail") { $0.detail }
        f.flag("isUsed") { $0.isUsed }
    }
}
