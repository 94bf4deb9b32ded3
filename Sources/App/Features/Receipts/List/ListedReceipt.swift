import Domain
import Postgres

/// One receipt of a list, as stored.
struct ListedReceipt: Sendable, RowDecodable {
    let id: ReceiptID
    let state: ReceiptState
    let reasons: [Reason]
    let storeName: String?
    let day: LocalDate?
    let time: PostgresTime?
    let currency: Currency
    /// In minor units.
    let total: Int64?
    let member: (id: PersonID, name: String)?
    let createdAt: PostgresInstant
    let discardedAt: PostgresInstant?
    /// The lowest page number, from 0; nil without a picture.
    let firstPage: Int32?
    /// Whether a person entered the receipt. Pictures may have been added later.
    let isManual: Bool
    /// The media type of the receipt's first file; nil without a file.
    let mediaType: String?

    /// The columns that `init` reads, from the tables in `source`.
    ///
    /// - Parameter member: the member who sees the list.
    static func columns(_ member: Member) -> SQL {
        """
        r.id, r.stage, r.verdict, r.reasons, coalesce(s.name, nullif(r.printed_store ->> 'name', '')), r.purchase_day,
        r.purchase_time, r.currency, CASE WHEN r.stage = \(Stage.confirmed.sql) THEN \(RollUps.total) ELSE r.total_minor END,
        p.id, p.name, r.created_at, r.discarded_at,
        (SELECT min(g.n) FROM receipt_page g WHERE g.household_id = r.household_id AND g.receipt_id = r.id),
        r.source = 'manual', (SELECT f.media_type FROM receipt_file f
            WHERE f.household_id = r.household_id AND f.receipt_id = r.id ORDER BY f.position LIMIT 1),
        \(Duplicates.condition(seenBy: member))
        """
    }

    /// The tables that `columns` needs, with the receipts as `r`.
    static let source: SQL = """
        receipt r
        LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        LEFT JOIN person p ON p.id = r.person_id
        """

    /// A condition: receipt `r` is not confirmed and not discarded, and the member may see it.
    static func isWaiting(_ member: Member) -> SQL {
        """
        r.household_id = \(member.household) AND r.stage <> \(Stage.confirmed.sql) AND r.discarded_at IS NULL
            AND \(Visibility.condition(member))
        """
    }

    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        let stage: Stage = try row.next()
        let verdict: Verdict? = try row.next()
        reasons = try row.next()
        storeName = try row.next()
        day = try row.next()
        time = try row.next()
        currency = try row.next()
        total = try row.next()
        let person: PersonID? = try row.next()
        let name: String? = try row.next()
        member = person.flatMap { id in name.map { (id, $0) } }
        createdAt = try row.next()
        let discarded: PostgresInstant? = try row.next()
        discardedAt = discarded
        firstPage = try row.next()
        isManual = try row.next()
        mediaType = try row.next()
        state = ReceiptState(
            stage: stage, verdict: verdict, isDiscarded: discarded != nil, isDuplicate: try row.next())
    }
}
