import Domain
import Postgres

/// Printed names of confirmed receipts that are not matched to a product, each once per chain.
enum WaitingNames {
    /// The tables and conditions after FROM in a query on the lines `l` with names that wait to be matched. Contains
    /// their receipts `r` and stores `s`.
    ///
    /// Names of hidden receipts are left out for all members until the receipts are published, because all members see
    /// the products. Lines without an amount have no price and are left out.
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

    /// A query over all waiting names: `source` split into the WITH query `unmatched` and the part after FROM.
    ///
    /// Starts with the lines without a product. They have their own index, and there are few of them, even if there are
    /// many receipts.
    ///
    /// - Parameter columns: the columns of the lines `l` that the query uses, except `receipt_id` and `alias_key`.
    static func all(_ member: Member, columns: SQL? = nil) -> (unmatched: SQL, source: SQL) {
        let further: SQL = columns.map { ", \($0)" } ?? ""
        return (
            """
            unmatched AS MATERIALIZED (
                SELECT l.receipt_id, l.alias_key\(further) FROM receipt_line l
                WHERE l.household_id = \(member.household) AND l.kind = 'item' AND l.product_id IS NULL
                    AND l.alias_key <> '' AND \(StoredReading.isRead))
            """,
            """
            unmatched l
            CROSS JOIN LATERAL (SELECT * FROM receipt r
                WHERE r.household_id = \(member.household) AND r.id = l.receipt_id LIMIT 1) r
            CROSS JOIN LATERAL (SELECT * FROM store s
                WHERE s.household_id = \(member.household) AND s.id = r.store_id LIMIT 1) s
            WHERE r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND \(Visibility.isPublished())
                AND NOT EXISTS (SELECT 1 FROM ignored_name i WHERE i.household_id = \(member.household)
                    AND i.chain = s.chain AND i.alias_key = l.alias_key)
            """
        )
    }

    /// Selects the number of waiting names.
    static func count(_ member: Member) -> SQL {
        let (unmatched, source) = all(member)
        return """
            WITH \(unmatched)
            SELECT count(*) FROM (SELECT DISTINCT s.chain, l.alias_key FROM \(source)) names
            """
    }
}

extension WaitingCount {
    /// Returns nil when no name waits to be matched.
    init?(names count: Int64) {
        guard count > 0 else { return nil }
        self.init(count: count)
    }
}
