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

/// Which receipts a member sees: a gift that somebody hides is in nobody else's lists until its day.
enum Visibility {
    /// Over the receipt `r`: everybody may see it.
    static func isPublished(_ today: LocalDate = WallClock.today()) -> SQL {
        "(r.hidden_until IS NULL OR r.hidden_until <= \(today))"
    }

    /// Over the receipt `r`: the member may see it.
    static func condition(_ member: Member) -> SQL {
        "(\(isPublished()) OR r.person_id = \(member.person))"
    }

    /// Over the receipt `r`: a gift of the member's own that is confirmed, and booked for nobody before its day.
    static func isOwnGift(_ member: Member) -> SQL {
        """
        (r.hidden_until > \(WallClock.today()) AND r.person_id = \(member.person) AND r.stage = 'confirmed'
            AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL)
        """
    }

    /// A condition over the store `s`: one that is known from hidden gifts alone gives them away.
    static func storeCondition(_ member: Member) -> SQL {
        """
        (EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = s.household_id AND r.store_id = s.id
                AND \(condition(member)))
            OR NOT EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = s.household_id AND r.store_id = s.id))
        """
    }
}

/// Receipts of a purchase that is there already.
enum Duplicates {
    /// Whether receipt `r` repeats another that still counts and that this member may see: a badge would give a gift away.
    static func condition(seenBy member: Member) -> SQL { condition(person: "\(member.person)") }

    /// The same for booking: against everything that whoever brought the receipt may see.
    static func condition() -> SQL { condition(person: "r.person_id") }

    private static func condition(person: SQL) -> SQL {
        """
        (r.duplicate_of IS NOT NULL AND EXISTS (SELECT 1 FROM receipt o
            WHERE o.household_id = r.household_id AND o.id = r.duplicate_of AND o.discarded_at IS NULL
                AND (o.hidden_until IS NULL OR o.hidden_until <= \(WallClock.today()) OR o.person_id = \(person))))
        """
    }
}
