import Domain
import JSON
import Postgres

/// The list of receipts in the API, newest upload first, in pages.
struct ReceiptListing: Sendable {
    let database: Database

    /// One receipt in the list.
    struct Item: Sendable, RowDecodable {
        let listed: ListedReceipt
        let revision: Int64

        init(from row: inout RowReader) throws(PostgresError) {
            listed = try ListedReceipt(from: &row)
            revision = try row.next()
        }

        func write(_ json: inout JSONWriter) {
            json.object { json in
                json.member("id", listed.id.description)
                json.member("revision", revision)
                json.member("state", listed.state.name.rawValue)
                json.array("reasons") { json in for reason in listed.reasons { json.value(reason.code.rawValue) } }
                json.member("store", listed.storeName ?? "")
                json.member("purchase_day", listed.day?.iso)
                json.member("currency", listed.currency.rawValue)
                json.member("total_minor", listed.total)
                json.member("person", listed.member?.name ?? "")
                json.member("created_at", WallClock.iso(listed.createdAt.microsecondsSince1970))
            }
        }
    }

    /// At most `limit` receipts with an identifier below `before`.
    func list(_ filter: ReceiptFilter, before: ReceiptID?, limit: Int, _ member: Member) async throws -> [Item] {
        let isOnPage: SQL = before.map { "r.id < \($0)" } ?? "true"
        let isListed: SQL = filter.state == .discarded ? "r.discarded_at IS NOT NULL" : "r.discarded_at IS NULL"
        return try await database.read(
            member.household,
            """
            SELECT \(ListedReceipt.columns(member)), r.revision FROM \(ListedReceipt.source)
            WHERE r.household_id = \(member.household) AND \(isListed) AND \(Visibility.condition(member))
                AND \(isOnPage) AND \(filter.condition(seenBy: member))
            ORDER BY r.id DESC LIMIT \(Int32(limit))
            """
        ).decode()
    }
}
