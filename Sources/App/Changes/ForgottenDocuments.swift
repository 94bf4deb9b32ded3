import Domain
import Postgres

/// Erases the logged contents of documents that are deleted for good.
enum ForgottenDocuments {
    /// A statement that erases the contents of all documents with these identifiers.
    ///
    /// Clients choose identifiers, so that a document of another type may have the same one. Contents of an identifier
    /// that another live document has are kept; the sweeper erases them after that document is deleted too.
    ///
    /// - Parameters:
    ///   - ids: an array of identifiers.
    ///   - isForgotten: a condition on `sync_document o` that is true for the documents to forget, which are not marked
    ///     as deleted yet.
    static func erasing(_ ids: SQL, _ household: HouseholdID, isForgotten: SQL) -> SQL {
        """
        SELECT forget_documents(\(household), ARRAY(SELECT n.id FROM unnest(\(ids)) AS n (id)
            WHERE NOT EXISTS (SELECT 1 FROM change_log c
                JOIN sync_document o ON o.household_id = c.household_id AND o.document_type = c.document_type
                    AND o.document_id = c.document_id AND NOT o.deleted
                WHERE c.household_id = \(household) AND c.document_id = n.id AND (\(isForgotten)) IS NOT TRUE)))
        """
    }
}
