import Domain
import Postgres
import Testing

@testable import App

extension SynchronousConnection {
    /// The built-in category with this key of `CategoryTemplate`. The database must contain only one household.
    func category(_ key: String) throws -> CategoryID {
        try #require(try query("SELECT id FROM category WHERE key = \(key)").first(CategoryID.self))
    }
}
