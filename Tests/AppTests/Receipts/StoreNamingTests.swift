import Domain
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// The assignment of receipts to stores by printed names and addresses.
@Suite(.timeLimit(.minutes(5))) struct StoreNamingTests {
    /// Confirms receipts with these printed stores, and returns the name and the chain of the store of each.
    private func confirm(_ printed: [String], _ harness: AppHarness) async throws -> [String] {
        let anna = try await harness.signUp()
        let scene = try harness.scene(anna)
        var stores: [String] = []
        for store in printed {
            let receipt = try scene.receipt(
                [("MILCH", 179)], pages: 0, head: .init(verdict: .proven, store: store))
            _ = try await anna.post("/receipts/confirmations")
            stores.append(
                try #require(
                    try scene.text(
                        """
                        SELECT s.name || ', ' || s.chain FROM receipt r JOIN store s ON s.id = r.store_id
                        WHERE r.id = \(receipt)
                        """)))
        }
        return stores
    }

    private func place(_ street: String, _ town: String) -> String {
        #"{"chain": "REWE", "name": "REWE", "street": "\#(street)", "town": "\#(town)"}"#
    }

    @Test(.database) func `each address of a chain is a store, and a misread address creates no store`() async throws {
        try await AppHarness.run { harness in
            let stores = try await confirm(
                [
                    place("Von-Bodelschwingh-Str. 6", "Köln-Höhenhaus"), place("Rathausstr. 9", "Schwerte"),
                    place("Von-Bodelschwingh-Straße 6", "Köln"), place("Rathau5str. 9", "Schwerte"),
                    place("", "Schwerte"), place("Hörder Weg 101", "Schwerte"), place("", ""),
                ], harness)
            #expect(
                stores == [
                    "REWE Köln-Höhenhaus, rewe", "REWE Schwerte, rewe", "REWE Köln-Höhenhaus, rewe",
                    "REWE Schwerte, rewe", "REWE Schwerte, rewe", "REWE Schwerte, rewe", "REWE, rewe",
                ])
            // Two stores in one town have the same name, but different streets.
            let places = try harness.owner().query("SELECT street FROM store ORDER BY created_at, id").decode(
                String.self)
            #expect(places == ["Von-Bodelschwingh-Str. 6", "Rathausstr. 9", "Hörder Weg 101", ""])
        }
    }

    @Test(.database) func `a store without a town is not matched to a store with a town`() async throws {
        try await AppHarness.run { harness in
            func lidl(_ town: String) -> String { place("", town).replacing("REWE", with: "Lidl") }
            let stores = try await confirm(
                [lidl(""), lidl("30159 Hannover"), lidl("Berlin"), lidl("Hannover")], harness)
            #expect(stores == ["Lidl, lidl", "Lidl Hannover, lidl", "Lidl Berlin, lidl", "Lidl Hannover, lidl"])
        }
    }

    @Test(.database) func `a receipt without a town is assigned to the only known store of the chain`() async throws {
        try await AppHarness.run { harness in
            let stores = try await confirm([place("", "Schwerte"), place("", "")], harness)
            #expect(stores == ["REWE Schwerte, rewe", "REWE Schwerte, rewe"])
        }
    }

    @Test(.database) func `a store that a person chose is used whatever town is printed`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt(
                [("MILCH", 179)], pages: 0, head: .init(store: place("Weg 1", "Wien")))
            let store = SyncScene.key(.store)
            try await SyncScene(harness, anna).edit(store) {
                $0 = ["type": "store", "chain": "rewe", "name": "Ums Eck", "street": "Gasse 2", "town": "Graz"]
            }
            let key = try scene.keys(receipt)[0]
            let answer = try await anna.post(
                "/receipts/\(receipt)/confirmation",
                [
                    "revision": "1", "store": "ums eck", "day": "2026-11-02", "total": "1,79", "line": "\(key)",
                    "name-\(key)": "MILCH", "total-\(key)": "1,79",
                ])
            #expect(answer.status == .seeOther)
            #expect(try scene.text("SELECT store_id::text FROM receipt WHERE id = \(receipt)") == store.id.description)
        }
    }

    @Test(arguments: [
        ("BILLA Anif", "", "billa"), ("BILLA PLUS Anif", "", "billa"), ("spar", "", "spar"),
        ("Sparkasse", "", "sparkasse"), ("Bäckerei Ruetz", "", "baeckerei ruetz"),
        ("Hofladen Huber", "Hofladen", "hofladen"),
    ])
    func `a store belongs to the chain whose name is the beginning of the store's name`(
        name: String, printed: String, chain: String
    ) {
        #expect(StoreNaming.chain(of: name, printed: printed) == chain)
    }
}
