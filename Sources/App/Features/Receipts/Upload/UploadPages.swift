import Templates

/// `receipts/new`.
struct NewReceiptPage: PageModel {
    let problem: Problem?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.number("maxBytes") { _ in UploadLimits.fileBytes }
        f.number("maxMegabytes") { _ in UploadLimits.fileBytes / 1_048_576 }
    }
}

/// `receipts/uploaded`: what became of each file, for browsers without scripts.
struct UploadedPage: PageModel {
    let files: [File]

    struct File: PageModel {
        let name: String
        let outcome: UploadOutcome
        let reason: String

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.flag("isArrived") { $0.outcome.isArrived }
            f.flag("isDuplicate") { $0.outcome.isDuplicate }
            f.flag("isRefused") { $0.outcome.isRefused }
            f.text("reason") { $0.reason }
            f.optionalText("href") { $0.outcome.receipt.map { "/receipts/\($0)" } }
        }
    }

    static let fields = Fields<Self> { f in
        f.list("files") { $0.files }
    }
}
