import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

extension AppHarness {
    /// Imports lines with these prices, and adds their products to one comparison group.
    func comparisonGroup(
        _ lines: [(store: String, price: String, daysAgo: Int)], by anna: Browser
    ) async throws -> ComparisonGroupID {
        try await anna.importTable(lines.map { ("Milch 1L", $0.price, daysAgo($0.daysAgo), $0.store) })
        let database = try owner()
        let products = try database.query("SELECT id FROM product ORDER BY name").decode(ProductID.self)
        let token = try await anna.get("/settings").token ?? ""
        let fields = [("csrf", token), ("name", "Milch"), ("unit", "l")] + products.map { ("product", "\($0)") }
        let body = fields.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        let creationAnswer = try await anna.send(
            .post, "/compare/groups", type: "application/x-www-form-urlencoded", Array(body.utf8))
        #expect(creationAnswer.status == .seeOther)
        return try #require(try database.query("SELECT id FROM comparison_group").first(ComparisonGroupID.self))
    }
}
