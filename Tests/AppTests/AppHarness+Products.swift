import Domain
import Postgres
import Testing

@testable import App

extension AppHarness {
    /// Adds a product to a chain.
    func product(_ name: String, chain: String, by browser: Browser) async throws -> ProductID {
        let id = ProductID.new()
        try await database.write(browser.household, by: browser.person) { changes in
            try await NewProducts.add([NewProduct(id: id, chain: chain, name: name)], changes)
        }
        return id
    }

    /// The identifier of the only product with this name.
    func product(named name: String) throws -> ProductID {
        try #require(try owner().query("SELECT id FROM product WHERE name = \(name)").first(ProductID.self))
    }
}
