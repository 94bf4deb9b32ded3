import Domain
import Testing
import Wines

@testable import App

@Suite(.timeLimit(.minutes(1))) struct HouseholdWinesTests {
    @Test func `deleted wines take no places of a search`() {
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
        // Deleted wines that no search finds change nothing.
        #expect(search(deleted: [.new(), .new()]) == best)
    }
}
