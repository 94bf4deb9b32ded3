import Domain
import Postgres
import Wines

/// Alternatives to a wine from the catalogue: same colour, a release price within 30 %, and at least its score.
enum SimilarWines {
    /// The maximum number of alternatives.
    private static let maximumAlternatives = 3
    /// The maximum number of wines compared, because comparing all wines of a large catalogue is too slow. The wines
    /// with the lowest scores of at least the wine's score are compared.
    private static let maximumCompared: Int64 = 5_000
    /// The maximum number of wines read; several may be vintages of one wine.
    private static let maximumRead: Int64 = 12

    /// Returns statements for the household's and the operator's catalogue. Empty for a wine without a colour or a
    /// release price.
    static func queries(_ wine: StoredWine, _ household: HouseholdID) -> [SQL] {
        guard let price = wine.releasePrice, let colour = wine.colour else { return [] }
        let family = wine.familyKey
        // NULLS FIRST is the order of the indexes when they are read backwards.
        func identifiers(_ source: SQL) -> SQL {
            """
            w.id = ANY(ARRAY(SELECT c.id FROM (SELECT o.* FROM \(source) o WHERE o.points >= \(Int64(wine.points ?? 0))
                    ORDER BY o.points NULLS FIRST, o.id DESC LIMIT \(maximumCompared)) c
                WHERE c.colour = \(colour.rawValue) AND c.family_key <> \(family)
                    AND c.release_currency = \(price.currency.code)
                    AND abs(c.release_minor - \(price.minorUnits)) * 10 <= \(price.minorUnits) * 3
                ORDER BY c.region = \(wine.region) DESC, c.points DESC, c.release_minor, c.id LIMIT \(maximumRead)))
            """
        }
        let own: SQL = "(SELECT * FROM wine x WHERE x.household_id = \(household) AND x.discarded_at IS NULL)"
        return [
            StoredWine.query(household, identifiers(own)),
            StoredWine.sharedQuery(household, identifiers("shared_wine")),
        ]
    }

    /// Returns the best of the wines that the statements of `queries` selected, one vintage of each. If some of them
    /// are from the wine's region, returns only those.
    static func best(_ rows: some Sequence<Rows>, for wine: StoredWine) throws -> [StoredWine] {
        var families: Set<String> = []
        let read = try rows.flatMap { try $0.decode(StoredWine.self) }
        // For wines of the operator, the statements compare the highest score. The shown score can be lower, so it is
        // compared here.
        let found = read.filter { ($0.points ?? 0) >= (wine.points ?? 0) }.sorted {
            ($1.points ?? 0, $0.releasePrice?.minorUnits ?? 0, $0.id) < (
                $0.points ?? 0, $1.releasePrice?.minorUnits ?? 0, $1.id
            )
        }
        let sameRegion = found.filter { !wine.region.isEmpty && $0.region == wine.region }
        return Array(
            (sameRegion.isEmpty ? found : sameRegion)
                .filter { families.insert($0.familyKey).inserted }.prefix(maximumAlternatives))
    }
}
