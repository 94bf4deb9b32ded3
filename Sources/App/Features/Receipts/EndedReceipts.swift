import Domain
import HTTP
import Postgres

/// Receipts that no longer exist, because they were joined into another receipt, or were discarded and later deleted.
struct EndedReceipts: Sendable {
    let database: Database

    /// Redirects the addresses of joined and deleted receipts to the list.
    var redirects: EndedDocument<IdentifierTag.Receipt> {
        EndedDocument(parameter: "receipt") { id, request in
            guard try await areDeleted([id], request.member) else { return nil }
            return .redirect(to: "/receipts").flashing(Flash("receipt-ended"))
        }
    }

    /// Returns true if all these receipts belonged to the household and are deleted. A receipt that exists but is
    /// hidden from the member is not deleted.
    func areDeleted(_ ids: [ReceiptID], _ member: Member) async throws -> Bool {
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
