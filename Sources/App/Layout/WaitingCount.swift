import Templates

/// The number of receipts in the inbox, or of printed names that wait to be matched.
struct WaitingCount: PageModel {
    let count: Int64

    static let fields = Fields<Self> { f in
        f.text("count") { String($0.count) }
    }
}
