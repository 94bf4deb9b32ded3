import Domain
import Postgres
import TestSupport
import Testing

@testable import App

/// The search for receipts tolerates typing errors in names of items and stores.
@Suite(.timeLimit(.minutes(5))) struct ReceiptSearchTests {
    @Test(.database)
    func `a misspelled search finds similar names and reports this; a search with exact matches does not`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = try harness.scene(anna)
            let milk = try scene.receipt([("BIO VOLLMILCH 1L", 179)])
            let soap = try scene.receipt(
                [("HANDSEIFE", 99)], stage: "confirmed", head: .init(store: #"{"name": "MERKUR MARKT"}"#))
            let gift = try scene.receipt([("GOLDKETTE", 9_900)], person: ben.person)
            try await harness.hide(gift, by: ben)
            for (search, found, isCorrected) in [
                ("vollmilch", [milk], false), ("volmilch", [milk], true), ("handsiefe", [soap], true),
                ("hofr", [milk], true), ("hofr volmilch", [milk], true), ("hofr handsiefe", [], false),
                ("goldkete", [], true), ("xyzzyx", [], false),
            ] as [(String, [ReceiptID], Bool)] {
                let page = try await anna.get("/receipts?search=\(search.replacing(" ", with: "+"))").text
                for id in [milk, soap, gift] {
                    #expect(page.contains("/receipts/\(id)\"") == found.contains(id), "\(search)")
                }
                #expect(page.contains("Kein genauer Treffer") == (isCorrected && !found.isEmpty), "\(search)")
                #expect(page.contains("Keine Belege gefunden") == found.isEmpty, "\(search)")
            }
            #expect(
                try await anna.get("/receipts?search=volmilch&state=confirmed").text.contains("Keine Belege gefunden"))
        }
    }

    @Test(.database) func `a search for an amount works with and without the currency's sign`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let milk = try scene.receipt([("BIO VOLLMILCH 1L", 179)])
            for (search, isThere) in [
                ("1,79", true), ("1,79+%E2%82%AC", true), ("CHF+1.79", true), ("Fr.1.79", true), ("CHF+1.97", false),
            ] {
                let page = try await anna.get("/receipts?search=\(search)").text
                #expect(page.contains("/receipts/\(milk)\"") == isThere, "\(search)")
            }
        }
    }

    @Test(.database) func `a search for an amount finds returns and discounts, with and without a minus sign`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let bottles = try scene.receipt([("LEERGUT", -25), ("BROT", 310)])
            for (search, isThere) in [
                ("0,25", true), ("-0,25", true), ("2,85", true), ("-2,85", true), ("0,52", false),
            ] {
                let page = try await anna.get("/receipts?search=\(search)").text
                #expect(page.contains("/receipts/\(bottles)\"") == isThere, "\(search)")
            }
        }
    }

    @Test(.database) func `a search leaves the filters folded; a filter unfolds them`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            _ = try harness.scene(anna).receipt([("BIO VOLLMILCH 1L", 179)])
            _ = try await anna.expense("30", "Kino", [("labels", "Freunde")])
            for (path, isUnfolded) in [
                ("/receipts?search=vollmilch", false), ("/receipts?search=xyzzyx", false),
                ("/receipts?search=vollmilch&state=review", true), ("/expenses/list?search=kino", false),
                ("/expenses/list?search=kino&label=Freunde", true),
            ] {
                let page = try await anna.get(path).text
                #expect(page.contains("<details class=\"filters\" open>") == isUnfolded, "\(path)")
            }
        }
    }

    @Test(.database) func `a filter by month also applies to waiting receipts and does not hide the inbox`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let milk = try scene.receipt([("BIO VOLLMILCH 1L", 179)])
            for (query, isThere) in [
                ("month=2026-11", true), ("month=2026-11&state=review", true), ("month=2026-11&search=vollmilch", true),
                ("month=2026-10&state=review", false), ("month=2026-11&state=unreadable", false),
                ("month=11%2F2026&state=review", true), ("month=Oktober+2026&state=review", false),
            ] {
                let page = try await anna.get("/receipts?\(query)").text
                #expect(page.contains("/receipts/\(milk)\"") == isThere, "\(query)")
                #expect(page.contains("Keine Belege gefunden") != isThere, "\(query)")
            }
        }
    }
}
