import Domain
import Recognition
import Testing
import Wines

@testable import App

@Suite(.timeLimit(.minutes(5))) struct SimilarEntriesTests {
    private static func entry(
        _ number: Int, points: Int?, price: Int, region: String, colour: WineColor, currency: String?
    ) -> MatchedList.Entry {
        let wine = StoredWine(
            id: .new(), isShared: false, producer: "", name: "Wein \(number)", vintage: nil, country: "",
            region: region, colour: colour, grapes: [], releasePrice: nil, drinkFrom: nil, drinkUntil: nil,
            points: points, revision: 1, scores: [])
        let printedEntry = WineListEntry(
            text: "Wein \(number)", box: PixelBox(x: 0, y: 0, width: 1, height: 1),
            prices: [WineListPrice(serving: .bottle, amount: price, currency: currency)])
        return MatchedList.Entry(
            number: number, printed: printedEntry, wine: wine, confidence: 990, kind: .exact, candidates: [])
    }

    /// The numbers of the entries that must be similar, found by comparison with all other entries.
    private static func expected(_ entry: MatchedList.Entry, _ entries: [MatchedList.Entry]) -> [Int] {
        guard let price = entry.bottlePrice else { return [] }
        let better = entries.filter { other in
            guard let otherPrice = other.bottlePrice, other.wine?.colour == entry.wine?.colour,
                otherPrice.currency ?? "EUR" == price.currency ?? "EUR", let points = other.wine?.points
            else { return false }
            return points > entry.wine?.points ?? 0 && abs(otherPrice.minor - price.minor) * 10 <= price.minor * 3
        }
        let near = better.filter { entry.wine?.region != "" && $0.wine?.region == entry.wine?.region }
        let order = (near.isEmpty ? better : near).sorted {
            ($1.wine?.points ?? 0, $0.bottlePrice?.minor ?? 0, $0.number) < (
                $0.wine?.points ?? 0, $1.bottlePrice?.minor ?? 0, $1.number
            )
        }
        return order.prefix(3).map(\.number)
    }

    @Test(arguments: [1, 2, 3, 7, 60, 257]) func `finds the same wines as a comparison of all entries`(count: Int) {
        let points: [Int?] = [nil, 84, 86, 88, 90, 92]
        let entries = (0..<count).map { number in
            Self.entry(
                number, points: points[number * 7 % 6], price: 500 + number * 379 % 6_000,
                region: ["", "Wachau", "Rioja"][number * 5 % 3], colour: number % 4 == 0 ? .white : .red,
                currency: number % 9 == 0 ? "CHF" : nil)
        }
        let similar = SimilarEntries(entries, home: .eur)
        for entry in entries { #expect(similar[entry.number] == Self.expected(entry, entries)) }
    }
}
