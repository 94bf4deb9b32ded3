import Domain
import HTTP
import Postgres
import Templates

/// The reading progress of a receipt, and its result after the reading.
struct ListedReading: Sendable, Equatable, RowDecodable {
    let id: ReceiptID
    /// The name of the receipt's first file; empty without a file.
    let fileName: String
    /// The store's name as read; empty when it is not known.
    let storeName: String
    let total: Money?
    let state: ReceiptState
    /// Nil when the receipt is not being read.
    let progress: ReadingProgress?

    /// The maximum number of receipts in one request. For a longer list, the page sends several requests.
    static let maximumReceipts = UploadLimits.files

    /// The comma-separated identifiers in the query value `name`, without repetitions, at most `maximumReceipts`.
    static func identifiers(_ name: String, _ head: RequestHead) -> [ReceiptID] {
        var seen: Set<ReceiptID> = []
        let all = (head.query(name) ?? "").split(separator: ",").prefix(maximumReceipts).compactMap {
            ReceiptID(String($0))
        }
        return all.filter { seen.insert($0).inserted }
    }

    /// Loads the receipts among `ids` that this member may see, in the order of `ids`.
    static func list(_ ids: [ReceiptID], _ member: Member, _ database: Database) async throws -> [ListedReading] {
        guard !ids.isEmpty else { return [] }
        let household = member.household
        let rows = try await database.read(
            household,
            """
            SELECT r.id, coalesce((SELECT f.name FROM receipt_file f
                    WHERE f.household_id = r.household_id AND f.receipt_id = r.id ORDER BY f.position LIMIT 1), ''),
                coalesce(s.name, r.printed_store ->> 'name', ''), r.total_minor, r.currency,
                r.stage, r.verdict, r.discarded_at IS NOT NULL, \(Duplicates.condition(seenBy: member)),
                j.lease_until >= now(), j.attempts, j.overloads, j.step, j.pages, j.page_count,
                CASE WHEN j.id IS NOT NULL THEN (SELECT count(*) FROM job o
                    WHERE o.household_id = j.household_id AND o.kind = j.kind AND o.id <> j.id
                        AND (o.lease_until >= now() OR (o.not_before, o.id) < (j.not_before, j.id))) END
            FROM receipt r
            LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            LEFT JOIN job j ON j.household_id = r.household_id AND j.kind = 'read' AND j.subject_id = r.id
            WHERE r.household_id = \(household) AND r.id = ANY(\(ids)) AND \(Visibility.condition(member))
            """)
        let found = Dictionary(try rows.decode(ListedReading.self).map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { found[$0] }
    }

    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        fileName = try row.next()
        storeName = try row.next()
        let minorUnits: Int64? = try row.next()
        let currency: Currency = try row.next()
        total = minorUnits.map { Money(minorUnits: $0, currency: currency) }
        let stage: Stage = try row.next()
        let verdict: Verdict? = try row.next()
        let isDiscarded: Bool = try row.next()
        state = ReceiptState(
            stage: stage, verdict: verdict, isDiscarded: isDiscarded, isDuplicate: try row.next())
        let isHeld: Bool? = try row.next()
        let attempts: Int32? = try row.next()
        let overloads: Int32? = try row.next()
        let step: String? = try row.next()
        let pages: Int32? = try row.next()
        let pageCount: Int32? = try row.next()
        let ahead: Int64? = try row.next()
        progress =
            state.name != .reading
            ? nil
            : ReadingProgress(
                isHeld: isHeld, attempts: attempts, overloads: overloads, step: step, ahead: ahead,
                readPageCount: pages,
                pageCount: pageCount)
    }

    /// The name of the store. The name of the file while the receipt is being read, or if the store is not known.
    var title: String { progress == nil && !storeName.isEmpty ? storeName : fileName }

    /// The reading progress; after reading, the total and the state.
    func sentence(_ words: LanguageTexts, _ language: Language) -> String {
        guard let progress else {
            let state = words["state.\(state.name.rawValue)"]
            return total.map { "\($0.formatted(language)) · \(state)" } ?? state
        }
        if progress.isDelayed { return words["server.upload.delayed"] }
        if progress.ahead > 0 { return words["server.upload.ahead", ["count": .number(String(progress.ahead))]] }
        let step = words["server.step.\(progress.step.rawValue)"]
        guard let page = progress.page else { return step }
        return "\(step), \(page)/\(progress.pageCount)"
    }
}
