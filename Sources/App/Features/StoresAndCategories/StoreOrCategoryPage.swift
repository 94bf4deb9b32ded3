import Templates

/// The model of the view `stores-and-categories/entry`: renames, removes or merges one store or category.
struct StoreOrCategoryPage: PageModel {
    let entry: StoreOrCategory
    /// The name in the form: the stored name; after a refused form, the typed name.
    let name: String
    /// The revision in the submitted form, to detect later changes when it is saved again; nil for the stored revision.
    let shownRevision: Int64?
    let errors: FieldErrors
    let others: [MergeTarget]
    /// The name of the form field for the target of a merge.
    let field: String
    let problem: Problem?
    /// Nil for stores, and for categories without a default split.
    let split: DefaultSplit?

    /// A possible target of a merge.
    struct MergeTarget: PageModel {
        let id: String
        let name: String
        /// Whether the target was selected in a refused form.
        let isChosen: Bool

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id }
            f.text("name") { $0.name }
            f.flag("isChosen") { $0.isChosen }
        }
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.optional("split") { $0.split }
        f.model("entry") { $0.entry }
        f.text("name") { $0.name }
        f.model("errors") { $0.errors }
        f.text("revision") { String($0.shownRevision ?? $0.entry.revision) }
        f.text("action") { "\($0.entry.href)/removal" }
        f.text("field") { $0.field }
        f.flag("isStore") { $0.field == "other-store" }
        f.flag("hasOthers") { !$0.others.isEmpty }
        f.list("others") { $0.others }
    }
}
