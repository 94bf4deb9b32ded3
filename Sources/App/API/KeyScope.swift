import Postgres

/// What an API key may be used for, besides the limits of its owner's role.
package enum KeyScope: String, Sendable, CaseIterable, PostgresConvertible, PostgresArrayElement {
    /// Read everything that the owner can see.
    case read
    /// Change receipts, products, stores and categories.
    case write
    /// Upload receipts, and nothing else.
    case upload
    /// Synchronise documents.
    case sync
    /// Manage members and keys.
    case admin
}
