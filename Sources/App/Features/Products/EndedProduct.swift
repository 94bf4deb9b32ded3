import Domain
import HTTP
import Postgres

/// A product that was deleted or merged into another product.
enum EndedProduct: Sendable {
    /// The product was merged into another product. That product now has its printed names.
    case merged(into: ProductID)
    case deleted

    /// Redirects from the product's address. If the request sent a form, the next page shows that the form was not
    /// saved.
    func response(to head: RequestHead) -> Response {
        switch self {
        case .merged(let other):
            .redirect(to: "/products/\(other)").flashing(
                Flash(head.method.isSafe ? "product-merged" : "product-merged-unsaved"))
        case .deleted: .redirect(to: "/products").flashing(Flash("product-gone"))
        }
    }
}

extension ProductEdits {
    /// Redirects the address of a merged product to the product that now has its printed names, and the address of a
    /// deleted product to the list.
    var redirectsForEndedProducts: EndedDocument<IdentifierTag.Product> {
        EndedDocument(parameter: "product") { id, request in
            try await endedProduct(id, request.household)?.response(to: request.head)
        }
    }

    /// Returns nil for a product that exists, or that never belonged to this household.
    func endedProduct(_ id: ProductID, _ household: HouseholdID) async throws -> EndedProduct? {
        let rows = try await database.read(
            household,
            batch: [
                HouseholdTransaction.tombstone(id, household),
                // The transaction that deleted the product also moved its printed names. Selects the product that has
                // them now. Ignores names that were detached earlier.
                """
                SELECT a.product_id FROM change_log t
                JOIN change_log m ON \(HouseholdTransaction.isWrittenWithTombstone)
                    AND m.document_type = 'alias' AND NOT m.deleted AND m.body ->> 'product_id' <> \(id)::text
                JOIN product_alias a ON a.household_id = m.household_id AND a.id = m.document_id
                WHERE t.household_id = \(household) AND t.document_id = \(id) AND t.deleted AND a.product_id <> \(id)
                    AND EXISTS (SELECT 1 FROM change_log c WHERE c.household_id = m.household_id
                        AND c.document_id = m.document_id AND c.body ->> 'product_id' = \(id)::text)
                ORDER BY m.seq DESC LIMIT 1
                """,
                // For a product without printed names: selects the product that the same transaction changed.
                """
                SELECT d.id FROM change_log t
                JOIN change_log m ON \(HouseholdTransaction.isWrittenWithTombstone)
                    AND m.document_type = 'product' AND NOT m.deleted
                JOIN product d ON d.household_id = m.household_id AND d.id = m.document_id
                WHERE t.household_id = \(household) AND t.document_id = \(id) AND t.deleted
                ORDER BY m.seq DESC LIMIT 1
                """,
            ])
        guard !rows[0].isEmpty else { return nil }
        let other = try rows[1].first(ProductID.self) ?? rows[2].first(ProductID.self)
        return other.map { .merged(into: $0) } ?? .deleted
    }
}
