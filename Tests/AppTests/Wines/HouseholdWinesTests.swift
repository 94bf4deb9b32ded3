import Domain
import TestSupport
import Testing
import Wines

@testable import App

@Suite(.timeLimit(.minutes(1))) struct HouseholdWinesTests {
    @Test func `deleted wines do not reduce the number of search results`() {
        let names = ["Achleiten", "Bodenstein", "Kaiserberg", "Klaus", "Steinriegl", "Zwerithaler"]
        let ids = names.map { _ in WineID.new() }
        let shared = WineIndexCache.Entry(
            version: 1, ids: ids, index: WineIndex(names.map { CatalogueWine(producer: "Prager", name: $0) }),
            offers: [:])
        func search(deleted: Set<WineID>) -> [WineID] {
            let own = WineIndexCache.Entry(
                version: 1, ids: [], index: WineIndex([CatalogueWine]()), offers: [:], discarded: deleted)
            return HouseholdWines(own: own, shared: shared, aliases: [])
                .search("prager", fuzzy: false, limit: 3).map(\.id)
        }
        let best = search(deleted: [])
        #expect(best.count == 3)
        let others = search(deleted: Set(best))
        #expect(others.count == 3)
        #expect(Set(others).isDisjoint(with: best))
        // Deleted wines that do not match the search have no effect.
        #expect(search(deleted: [.new(), .new()]) == best)
    }

    @Test func `an assigned text matches the printed vintage of its wine, if the catalogue has that vintage`() {
        let ids = (0..<3).map { _ in WineID.new() }.sorted()
        let wines = zip([2015, 2017, 2018], ["Grand Vin", "Grand Vin", "Pavillon"]).map {
            CatalogueWine(producer: "Margaux", name: $1, vintage: $0)
        }
        func match(_ text: String, _ aliases: [(String, WineID, Bool)]) -> WineID? {
            let own = WineIndexCache.Entry(version: 1, ids: ids, index: WineIndex(wines), offers: [:])
            return HouseholdWines(own: own, shared: .empty, aliases: aliases).match(text: text, limit: 1).first?.id
        }
        let assigned = [("hausmarke", ids[0], true)]
        #expect(match("Hausmarke", assigned) == ids[0])
        #expect(match("Hausmarke 2015", assigned) == ids[0])
        #expect(match("Hausmarke 2017", assigned) == ids[1])
        #expect(match("Hausmarke 2018", assigned) == ids[0])
        #expect(match("Hausmarke 2017", assigned + [("hausmarke", ids[1], false)]) == ids[0])
    }

    @Test(.database) func `loads only the assignments of the given texts`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(anna)
            let href = try WineCatalogueTests.href(of: "Moric", try await anna.get("/wines"))
            let wine = try #require(WineID(String(href.dropFirst("/wines/".count))))
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            for text in ["Hauswein", "Sonderposten"] {
                try await WineEdits(database: harness.database).recordMatch(text, wine, isMatch: true, by: member)
            }
            let catalogues = WineCatalogues(harness.database, try SlowWork())
            let wines = try await catalogues.load(anna.household, texts: ["HAUSWEIN 2019"])
            #expect(wines.match(text: "Hauswein", limit: 1).map(\.id) == [wine])
            #expect(wines.match(text: "Sonderposten", limit: 1).first?.kind != .alias)
        }
    }
}
