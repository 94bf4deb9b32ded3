import Domain
import Postgres

/// Erases the logged contents of documents that are deleted permanently.
enum ForgottenDocuments {
    /// A statement that erases the contents of documents.
    ///
    /// - Parameter documents: a query that selects the type and the identifier of each document. Clients choose
    ///   identifiers, so documents of several types may have the same identifier.
    static func erasing(_ documents: SQL, _ household: HouseholdID) -> SQL {
        """
        SELECT forget_documents(\(household), array_agg(n.type), array_agg(n.id)) FROM (\(documents)) AS n (type, id)
        """
    }
}
