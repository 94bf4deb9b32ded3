import Postgres

/// What an API key permits. The role of the member who created the key limits it further.
package enum KeyScope: String, Sendable, CaseIterable, PostgresConvertible, PostgresArrayElement {
    /// Read everything that the member can see.
    case read
    /// Change receipts, products, stores and categories.
    case write
    /// Upload receipts, nothing else.
    case upload
    /// Synchronise documents.
    case sync
    /// Manage members and keys.
    case admin
}
