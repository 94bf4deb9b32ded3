import Domain
import Postgres

/// Receipts of a purchase for which an earlier receipt is already stored.
enum Duplicates {
    /// A condition on the receipt `r`: it is the duplicate of a receipt that is not discarded and that this member may
    /// see. Marking `r` as a duplicate of a hidden receipt would reveal that receipt.
    static func condition(seenBy member: Member) -> SQL { condition(person: "\(member.person)") }

    /// The same condition for the person who uploaded the receipt.
    static func condition() -> SQL { condition(person: "r.person_id") }

    /// Marks a corrected receipt as the duplicate of an earlier receipt of the same purchase, if there is one.
    static func marking(_ receipt: ReceiptID, _ purchase: SamePurchase, _ household: HouseholdID) -> SQL {
        """
        UPDATE receipt mine SET duplicate_of = coalesce((SELECT r.id FROM receipt r
            WHERE r.household_id = \(household) AND r.id <> \(receipt) AND r.discarded_at IS NULL
                AND r.duplicate_of IS DISTINCT FROM \(receipt) AND \(purchase.condition)
                -- Excludes other people's hidden receipts, because the notice about a duplicate would reveal them.
                AND (\(Visibility.isPublished()) OR r.person_id = mine.person_id)
            ORDER BY r.created_at LIMIT 1), mine.duplicate_of)
        WHERE mine.household_id = \(household) AND mine.id = \(receipt)
        """
    }

    private static func condition(person: SQL) -> SQL {
        """
        (r.duplicate_of IS NOT NULL AND EXISTS (SELECT 1 FROM receipt o
            WHERE o.household_id = r.household_id AND o.id = r.duplicate_of AND o.discarded_at IS NULL
                AND (o.hidden_until IS NULL OR o.hidden_until <= \(WallClock.today()) OR o.person_id = \(person))))
        """
    }
}
