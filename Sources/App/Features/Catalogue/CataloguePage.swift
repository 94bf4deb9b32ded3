import Templates

/// A store or a category with what it is used for.
struct CatalogueEntry: PageModel {
    let id: String
    let href: String
    let name: String
    /// A colour of the design tokens; stores have none.
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

/// `catalogue/index`.
struct CataloguePage: PageModel {
    let stores: [CatalogueEntry]
    let categories: [CatalogueEntry]

    static let fields = Fields<Self> { f in
        f.flag("hasStores") { !$0.stores.isEmpty }
        f.list("stores") { $0.stores }
        f.flag("hasCategories") { !$0.categories.isEmpty }
        f.list("categories") { $0.categories }
    }
}

/// `catalogue/entry`: one that can be removed, or become another.
struct CatalogueEntryPage: PageModel {
    let entry: CatalogueEntry
    let others: [Other]
    /// The form field that names the other one.
    let field: String
    let problem: Problem?

    /// What it can become.
    struct Other: PageModel {
        let id: String
        let name: String
        /// It was chosen before, and the answer was a refusal.
        let isChosen: Bool

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id }
            f.text("name") { $0.name }
            f.flag("isChosen") { $0.isChosen }
        }
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.model("entry") { $0.entry }
        f.text("revision") { String($0.entry.revision) }
        f.text("action") { "\($0.entry.href)/removal" }
        f.text("field") { $0.field }
        f.flag("isStore") { $0.field == "other-store" }
        f.flag("hasOthers") { !$0.others.isEmpty }
        f.list("others") { $0.others }
    }
}
