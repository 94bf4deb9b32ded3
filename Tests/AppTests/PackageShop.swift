import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// A household that buys packages of several sizes, and matches and merges their products.
struct PackageShop {
    let harness: AppHarness
    let scene: ReceiptScene
    let browser: Browser

    init(_ harness: AppHarness, _ browser: Browser) throws {
        self.harness = harness
        scene = try harness.scene(browser)
        self.browser = browser
    }

    /// Confirms a receipt with one line of 2,00 € at HOFER.
    func buy(_ name: String, on day: String) async throws -> ReceiptLineID {
        let receipt = try scene.receipt([(name, 200)], pages: 0, head: .init(day: day))
        try await harness.confirm(receipt, by: browser)
        return try scene.keys(receipt)[0]
    }

    /// Matches a name on the matching page.
    func match(_ line: ReceiptLineID, to product: String, name: String = "", category: String = "") async throws {
        let answer = try await browser.post(
            "/matching", ["alias": "\(line)", "product": product, "name": name, "category": category])
        #expect(answer.status == .seeOther, "\(answer.text)")
    }

    /// Adds a product with two names of different sizes, each bought once.
    func addBothSizes() async throws {
        let first = try await buy("KEKSE 500G", on: "2026-03-02")
        try await match(first, to: "new", name: "Kekse")
        try await match(try await buy("KEKSE 400G", on: "2026-05-04"), to: "\(try product(of: first))")
    }

    func product(of line: ReceiptLineID) throws -> ProductID {
        try #require(
            try scene.owner.query("SELECT product_id FROM receipt_line WHERE id = \(line)").first(ProductID.self))
    }

    func merge(_ one: ProductID, into other: ProductID) async throws {
        let revision = try scene.count("SELECT revision FROM product WHERE id = \(one)")
        let answer = try await browser.post(
            "/products/\(one)/merge", ["revision": "\(revision)", "into": "\(other)"])
        #expect(answer.status == .seeOther, "\(answer.text)")
    }

    func split(_ printed: String, from product: ProductID) async throws {
        let alias = try #require(
            try scene.owner.query("SELECT id FROM product_alias WHERE printed_name = \(printed)").first(
                AliasID.self))
        let revision = try scene.count("SELECT revision FROM product WHERE id = \(product)")
        let answer = try await browser.post(
            "/products/\(product)/splits", ["revision": "\(revision)", "alias": "\(alias)"])
        #expect(answer.status == .seeOther, "\(answer.text)")
    }

    /// The prices, each as its day, the base price in cents and the base unit.
    func basePrices() throws -> [String] {
        try scene.owner.query(
            "SELECT day::text || ' ' || base_thousandths / 1000 || ' ' || base_unit FROM price ORDER BY day, id"
        ).decode(String.self)
    }

    func packages(of product: ProductID) throws -> [String] {
        try scene.owner.query(
            """
            SELECT valid_from::text || ' ' || amount_thousandths FROM product_package WHERE product_id = \(product)
            ORDER BY 1
            """
        ).decode(String.self)
    }
}
