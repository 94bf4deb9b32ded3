import Templates

/// The model of the view `exchange/names`.
struct NameImportPage: PageModel {
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
    }
}
