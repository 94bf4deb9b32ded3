import Domain
import Templates

/// `receipts/new`.
struct NewReceiptPage: PageModel {
    let problem: Problem?
    /// The unreadable receipt that the new one replaces.
    var unreadable: ReceiptID?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.optionalText("instead") { $0.unreadable?.description }
        f.number("maxBytes") { _ in UploadLimits.fileBytes }
        f.number("maxMegabytes") { _ in UploadLimits.fileBytes / 1_048_576 }
    }
}
