import Postgres

/// The scope of an API key. The owner's role limits the key further.
package enum KeyScope: String, Sendable, CaseIterable, PostgresConvertible, PostgresArrayElement {
    /// Read everything that the owner can see.
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
