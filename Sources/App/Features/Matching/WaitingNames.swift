import Domain
import Postgres

/// Printed names of booked receipts that belong to no product yet, each once a chain.
enum WaitingNames {
    /// Lines `l` of receipts `r` at stores `s` whose names wait and which the member may see.
    ///
    /// The names of a gift wait until its day, for its owner too: what they become is seen by everybody. A line whose amount
    /// nobody read has no price to tell of.
    static func source(_ member: Member) -> SQL {
        """
        receipt r
        JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        JOIN receipt_line l ON l.household_id = r.household_id AND l.receipt_id = r.id
        WHERE r.household_id = \(member.household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
            AND \(Visibility.isPublished()) AND l.kind = 'item' AND l.product_id IS NULL AND l.alias_key <> ''
            AND \(StoredReading.isRead)
            AND NOT EXISTS (SELECT 1 FROM ignored_name i WHERE i.household_id = \(member.household)
                AND i.chain = s.chain AND i.alias_key = l.alias_key)
        """
    }

    /// How many names wait.
    static func count(_ member: Member) -> SQL {
        "SELECT count(*) FROM (SELECT DISTINCT s.chain, l.alias_key FROM \(source(member))) names"
    }
}

/// `unnamed`: how many names wait; nothing when none does.
extension Waiting {
    init?(names count: Int64) {
        guard count > 0 else { return nil }
        self.init(count: count)
    }
}
