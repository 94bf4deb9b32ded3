import Domain
import Wines

extension MatchedList {
    private static let mostAlternatives = 3

    /// Returns other wines of the list with a higher score, the same colour and a price within 30 %, the best first. If
    /// some of them are from the same region, returns only those.
    func alternatives(to entry: Entry) -> [Entry] {
        guard let price = entry.bottlePrice, let colour = entry.wine?.colour ?? entry.printed.color else { return [] }
        let points = entry.wine?.points ?? 0
        let region = entry.region
        let better = entries.filter { other in
            guard other.number != entry.number, other.wine?.id != entry.wine?.id,
                let otherPoints = other.wine?.points, otherPoints > points,
                other.wine?.colour ?? other.printed.color == colour, let otherPrice = other.bottlePrice,
                otherPrice.currency ?? home.code == price.currency ?? home.code
            else { return false }
            return abs(otherPrice.minor - price.minor) * 10 <= price.minor * 3
        }
        let sameRegion = better.filter { region != nil && $0.region == region }
        let order = (sameRegion.isEmpty ? better : sameRegion).sorted {
            ($1.wine?.points ?? 0, $0.bottlePrice?.minor ?? 0, $0.number) < (
                $0.wine?.points ?? 0, $1.bottlePrice?.minor ?? 0, $1.number
            )
        }
        return Array(order.prefix(Self.mostAlternatives))
    }
}

extension MatchedList.Entry {
    /// The region of the wine, or else the printed region, as folded text.
    fileprivate var region: String? {
        let region = wine.map(\.region).flatMap { $0.isEmpty ? nil : $0 } ?? printed.region
        return region.map(FoldedText.fold)
    }
}
