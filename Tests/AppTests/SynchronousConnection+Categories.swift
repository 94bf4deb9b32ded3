import Domain
import Postgres
import Testing

@testable import App

extension SynchronousConnection {
    /// The category with a key of `CategoryTemplate`, in a database with one household.
    func category(_ key: String) throws -> CategoryID {
        try #require(try query("SELECT id FROM category WHERE key = \(key)").first(CategoryID.self))
    }
}
