import Domain
import JSON
import Postgres

/// A receipt as stored in one entry of the change log.
struct LoggedVersion: Sendable {
    let sequence: Int64
    /// Nil for changes by the server.
    let personName: String?
    let changedAt: PostgresInstant
    let stage: Stage
    let isDiscarded: Bool
    let draft: ReviewDraft
    /// Products by line key.
    let products: [String: ProductID]

    /// The columns that `decode` reads, and their tables; `c` is the entry. Pictures and evidence are left out because
    /// the page does not show them.
    private static let columns: SQL = """
        c.seq, CASE WHEN c.person_id IS NOT NULL THEN coalesce(p.name, '') END, c.changed_at,
            c.body - '{pages,files,evidence,marks,words}'::text[], coalesce(c.body ->> 'store_name', s.name)
        FROM change_log c LEFT JOIN person p ON p.id = c.person_id
        LEFT JOIN store s ON s.household_id = c.household_id AND s.id = (c.body ->> 'store_id')::uuid
        """

    /// The latest log entries of a receipt, newest first.
    ///
    /// - Parameter last: the highest sequence number; nil for no limit.
    static func query(_ id: ReceiptID, _ household: HouseholdID, upTo last: Int64?, limit: Int32) -> SQL {
        """
        SELECT \(columns)
        WHERE c.household_id = \(household) AND c.document_id = \(id) AND c.document_type = 'receipt'
            AND c.body IS NOT NULL AND c.seq <= \(last ?? Int64.max)
        ORDER BY c.seq DESC LIMIT \(limit)
        """
    }

    static func decode(_ rows: Rows) throws -> [LoggedVersion] {
        try rows.decode((Int64, String?, PostgresInstant, PostgresJSON, String?).self).map {
            sequence, person, time, json, store in
            let body = try JSONValue(reading: json.bytes, limits: SyncLimits.storedDocument)
            let products = (body["lines"]?.array ?? []).compactMap { line -> (String, ProductID)? in
                guard let key = line["id"]?.string,
                    let product = line["product_id"]?.string.flatMap({ ProductID($0) })
                else { return nil }
                return (key, product)
            }
            return LoggedVersion(
                sequence: sequence, personName: person, changedAt: time,
                stage: body["stage"]?.string.flatMap(Stage.init(rawValue:)) ?? .review,
                isDiscarded: body["discarded_at"]?.string != nil,
                draft: try ReviewDraft(logged: body, storeName: store),
                products: Dictionary(products, uniquingKeysWith: { first, _ in first }))
        }
    }
}
