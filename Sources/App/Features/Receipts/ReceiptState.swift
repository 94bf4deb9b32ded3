import Domain
import Postgres
import Templates

/// Where a receipt stands, as its badge shows it.
struct ReceiptState: PageModel, Equatable {
    enum Name: String, Sendable, CaseIterable {
        case reading, proven, review, unreadable, duplicate, confirmed, discarded
    }

    let name: Name

    init(_ name: Name) { self.name = name }

    /// From the columns stage and verdict, and whether it is discarded or seems to repeat another one.
    init(stage: String, verdict: String?, isDiscarded: Bool, isDuplicate: Bool) {
        if isDiscarded {
            name = .discarded
        } else if stage == "review", isDuplicate {
            // However well it was read: what is there twice is not simply to be confirmed.
            name = .duplicate
        } else if stage == "review" {
            name = verdict.flatMap(Name.init(rawValue:)) ?? .review
        } else {
            name = Name(rawValue: stage) ?? .reading
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
