import Domain
import Postgres
import Templates

/// The state of a receipt as its badge shows it.
struct ReceiptState: PageModel, Equatable {
    enum Name: String, Sendable, CaseIterable {
        case reading, proven, review, unreadable, duplicate, confirmed, discarded
    }

    let name: Name

    init(_ name: Name) { self.name = name }

    /// A proven duplicate is shown as a duplicate.
    init(stage: Stage, verdict: Verdict?, isDiscarded: Bool, isDuplicate: Bool) {
        name =
            switch (stage, verdict) {
            case _ where isDiscarded: .discarded
            case (.reading, _): .reading
            case (.confirmed, _): .confirmed
            case (.review, _) where isDuplicate: .duplicate
            case (.review, .proven): .proven
            case (.review, .unreadable): .unreadable
            case (.review, _): .review
            }
    }

    static let fields = Fields<Self> { f in
        f.flag("isReading") { $0.name == .reading }
        f.flag("isProven") { $0.name == .proven }
        f.flag("isReview") { $0.name == .review }
        f.flag("isUnreadable") { $0.name == .unreadable }
        f.flag("isDuplicate") { $0.name == .duplicate }
        f.flag("isConfirmed") { $0.name == .confirmed }
        f.flag("isDiscarded") { $0.name == .discarded }
    }
}
