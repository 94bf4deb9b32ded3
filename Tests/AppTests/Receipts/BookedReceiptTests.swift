import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite struct BookedReceiptTests {
    @Test(.database, arguments: [(0, nil), (100, "-1,00 €"), (-100, "+1,00 €")] as [(Int64, String?)])
    func `a booked receipt says by how much its lines and its total differ`(more: Int64, said: String?) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179), ("BROT", 329)], stage: "confirmed")
            try scene.owner.query("UPDATE receipt SET total_minor = total_minor + \(more) WHERE id = \(receipt)")
            let page = try await anna.get("/receipts/\(receipt)").text
            #expect(page.contains("Gebucht ist die Summe") == (said != nil))
            if let said { #expect(page.replacing("−", with: "-").contains(said), "\(page)") }
        }
    }
}
