import Domain
import Templates

/// The model of the view `receipts/uploaded`: the result for each file of an upload, and the reading progress.
struct UploadedPage: PageModel {
    let files: [File]
    /// The address of this page with the progress; nil when no file was accepted, or when this is already the address
    /// of the page.
    let progressHref: String?

    struct File: PageModel {
        let name: String
        let outcome: UploadOutcome
        /// The reading progress, or the reason of the refusal.
        let status: String
        let isReading: Bool

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.flag("isArrived") { $0.outcome.isArrived }
            f.flag("isDuplicate") { $0.outcome.isDuplicate }
            f.flag("isRefused") { $0.outcome.isRefused }
            f.text("status") { $0.status }
            f.optionalText("readingID") { $0.isReading ? $0.outcome.receipt?.description : nil }
            f.optionalText("href") { $0.outcome.receipt.map { "/receipts/\($0)" } }
        }
    }

    static let fields = Fields<Self> { f in
        f.list("files") { $0.files }
        // Only the page at the address `href` refreshes itself. The response to the upload form cannot be loaded again.
        f.flag("isRefreshing") { page in page.progressHref == nil && page.files.contains { $0.isReading } }
        f.optionalText("progressHref") { $0.progressHref }
    }

    /// The address of this page for new receipts and for receipts that were uploaded before; nil if all files were
    /// refused.
    static func href(_ outcomes: [UploadOutcome]) -> String? {
        func list(_ isListed: (UploadOutcome) -> Bool) -> String {
            outcomes.filter(isListed).compactMap { $0.receipt?.description }.joined(separator: ",")
        }
        let (new, known) = (list(\.isArrived), list(\.isDuplicate))
        guard !new.isEmpty || !known.isEmpty else { return nil }
        return "/receipts/uploads?receipts=\(new)" + (known.isEmpty ? "" : "&known=\(known)")
    }
}
