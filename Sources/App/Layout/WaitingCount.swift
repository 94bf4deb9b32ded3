import Templates

/// The number of receipts in the inbox, of printed names that wait to be matched, or of payments that may be counted
/// twice.
struct WaitingCount: PageModel {
    let count: Int64

    static let fields = Fields<Self> { f in
        f.text("count") { String($0.count) }
    }
}
