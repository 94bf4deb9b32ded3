import Postgres

/// What an API key permits. The role of the member who created the key limits it further.
package enum KeyScope: String, Sendable, CaseIterable, PostgresConvertible, PostgresArrayElement {
    /// Read everything that the member can see.
    case read
    /// Change data, such as receipts, products and expenses.
    case write
    /// Upload receipts, nothing else.
    case upload
    /// Synchronise documents with the CouchDB interface or the interface for local databases.
    case sync
    /// Manage members, webhooks and keys.
    case admin
}
