import Templates

/// The model of the view `exchange/import`.
struct ImportPage: PageModel {
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
    }
}
