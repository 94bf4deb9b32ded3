import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// A new photo replaces a receipt after its upload is complete.
@Suite(.timeLimit(.minutes(5))) struct NewPhotoTests {
    private static let photo = Array(HostilePictures.png(width: 100, height: 200))

    private func unreadableReceipt(_ scene: ReceiptScene, person: PersonID? = nil) throws -> ReceiptID {
        try scene.receipt([], person: person, head: .init(verdict: .unreadable, day: nil, total: .printed(nil)))
    }

    private func upload(
        _ bytes: [UInt8], insteadOf receipt: ReceiptID, _ browser: Browser
    ) async throws -> Answer {
        try await browser.upload(
            "/receipts", field: "files", fileName: "neu.png", type: "image/png", bytes,
            fields: ["instead": "\(receipt)"])
    }

    private func isDiscarded(_ receipt: ReceiptID, _ scene: ReceiptScene) throws -> Bool {
        try scene.count("SELECT count(*) FROM receipt WHERE id = \(receipt) AND discarded_at IS NOT NULL") == 1
    }

    @Test(.database) func `a new photo replaces the unreadable receipt, which can be restored`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let old = try unreadableReceipt(scene)
            let link = "/receipts/new?instead=\(old)"
            #expect(try await anna.get("/receipts/\(old)/review").text.contains("href=\"\(link)\""))
            let page = try await anna.get(link).text
            #expect(page.contains("name=\"instead\" value=\"\(old)\"") && page.contains("ersetzt den bisherigen Beleg"))
            #expect(!(try isDiscarded(old, scene)))
            let new = try #require(try await upload(Self.photo, insteadOf: old, anna).location)
            #expect(new != "/receipts/\(old)")
            #expect(try isDiscarded(old, scene))
            #expect(try scene.count("SELECT count(*) FROM change_log WHERE document_id = \(old)") == 1)
            let next = try await anna.get(new).text
            #expect(next.contains("Bisheriger Beleg verworfen."))
            #expect(next.contains("action=\"/receipts/\(old)/restoration\""))
            _ = try await anna.post("/receipts/\(old)/restoration")
            #expect(!(try isDiscarded(old, scene)))
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE discarded_at IS NULL") == 2)
        }
    }

    @Test(.database) func `a new photo replaces a receipt whose photo shows a second sheet`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let old = try scene.receipt([("Milch", 149)])
            try scene.owner.query("UPDATE receipt SET reasons = '{other-sheet}'")
            let review = try await anna.get("/receipts/\(old)/review").text
            #expect(review.contains("Fotografieren Sie jeden Beleg einzeln."))
            #expect(review.contains("href=\"/receipts/new?instead=\(old)\""))
            _ = try await upload(Self.photo, insteadOf: old, anna)
            #expect(try isDiscarded(old, scene))
        }
    }

    @Test(.database) func `a refused or duplicate photo replaces no receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let old = try unreadableReceipt(scene)
            #expect(try await upload(Array("kein Bild".utf8), insteadOf: old, anna).status == .unsupportedMediaType)
            #expect(!(try isDiscarded(old, scene)))
            _ = try await anna.upload(
                "/receipts", field: "files", fileName: "a.png", type: "image/png", Self.photo)
            #expect(try await upload(Self.photo, insteadOf: old, anna).status == .seeOther)
            #expect(!(try isDiscarded(old, scene)))
        }
    }

    @Test(.database) func `a new photo does not replace a readable, confirmed or invisible receipt`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            let foreign = try harness.scene(paul)
            let readable = try scene.receipt([("MILCH", 179)])
            let confirmed = try scene.receipt([("BROT", 329)], stage: "confirmed")
            let theirs = try unreadableReceipt(foreign)
            let gift = try unreadableReceipt(scene, person: nil)
            try scene.owner.query("UPDATE receipt SET hidden_until = '2999-01-01' WHERE id = \(gift)")
            for (number, receipt) in [readable, confirmed, theirs, gift].enumerated() {
                #expect(!(try await anna.get("/receipts/new?instead=\(receipt)").text.contains("name=\"instead\"")))
                let photo = Self.photo + [UInt8(number)]
                #expect(try await upload(photo, insteadOf: receipt, anna).status == .seeOther)
                #expect(!(try isDiscarded(receipt, scene)))
            }
        }
    }
}
