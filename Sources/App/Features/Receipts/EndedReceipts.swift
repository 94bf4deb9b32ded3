import Domain
import HTTP
import Postgres

/// Receipts that are no more: joined with another one, or discarded long ago. Whoever comes from an old page is told, and
/// led on; what was never the household's is not found.
struct EndedReceipts: Sendable {
    let database: Database

    /// The handler's answer; where it finds nothing under an address of a receipt that was here once, the way on.
    func leadingOn(
        _ handler: @escaping @Sendable (MemberRequest) async throws -> Response
    ) -> @Sendable (MemberRequest) async throws -> Response {
        { request in
            do {
                return try await handler(request)
            } catch let refusal as Refusal where refusal.status == .notFound {
                let id: ReceiptID = try request.identifier("receipt")
                guard try await contain([id], request.member) else { throw refusal }
                return .redirect(to: "/receipts").flashing(Flash("receipt-ended"))
            }
        }
    }

    /// Whether all of these were the household's and are gone. A gift that somebody hides is not gone.
    func contain(_ ids: [ReceiptID], _ member: Member) async throws -> Bool {
        let household = member.household
        let rows = try await database.read(
            household,
            """
            SELECT count(DISTINCT c.document_id) FROM change_log c
            WHERE c.household_id = \(household) AND c.document_type = 'receipt' AND c.document_id = ANY(\(ids))
                AND c.deleted
                AND NOT EXISTS (SELECT 1 FROM receipt r
                    WHERE r.household_id = c.household_id AND r.id = c.document_id)
            """)
        return try rows.first(Int64.self) == Int64(Set(ids).count)
    }
}
