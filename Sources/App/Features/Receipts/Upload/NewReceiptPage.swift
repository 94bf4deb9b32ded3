import Domain
import Templates

/// The model of the view `receipts/new`: uploading files or typing in a receipt.
struct NewReceiptPage: PageModel {
    let problem: Problem?
    /// The receipt that the new receipt replaces: an unreadable receipt, or a receipt whose picture shows another
    /// sheet.
    let replaced: ReceiptID?
    /// The address to which members send files by mail; nil when mail is not set up.
    let mailAddress: String?

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.optionalText("instead") { $0.replaced?.description }
        f.optionalText("mailAddress") { $0.mailAddress }
        f.number("maxBytes") { _ in UploadLimits.fileBytes }
        f.number("maxMegabytes") { _ in UploadLimits.fileBytes / 1_048_576 }
    }
}
