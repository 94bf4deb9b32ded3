import Domain
import Postgres
import Wines

/// Imported wines as arrays of column values for SQL statements. If several lines have the same key, the wine of the
/// last one is used, with the scores of all these lines.
struct WineImportColumns: Sendable {
    private(set) var keys: [String] = []
    private var ids: [WineID] = []
    private var producers: [String] = []
    private var names: [String] = []
    private var vintages: [Int32?] = []
    private var countries: [String] = []
    private var regions: [String] = []
    private var colours: [String] = []
    /// The grape names of each wine, separated by `|`.
    private var grapes: [String] = []
    private var prices: [Int64?] = []
    private var currencies: [String?] = []
    private var drinkFroms: [Int32?] = []
    private var drinkUntils: [Int32?] = []
    private var families: [String] = []
    private(set) var scoreKeys: [String] = []
    private var critics: [String] = []
    private var points: [Int32] = []
    private var notes: [String] = []
    private var reviewDays: [LocalDate?] = []

    init(_ wines: [ImportedWine]) {
        var last: [String: Int] = [:]
        for (index, wine) in wines.enumerated() { last[wine.key] = index }
        for (index, wine) in wines.enumerated() where last[wine.key] == index { add(wine) }
        // Lines with the same key can hold scores by different critics.
        var scores: [String: (key: String, score: WineScore)] = [:]
        for wine in wines {
            if let score = wine.score { scores["\(wine.key)\u{0}\(score.critic)"] = (wine.key, score) }
        }
        for (key, score) in scores.values {
            scoreKeys.append(key)
            critics.append(score.critic)
            points.append(Int32(score.points))
            notes.append(score.note)
            reviewDays.append(score.reviewedOn)
        }
    }

    private mutating func add(_ wine: ImportedWine) {
        keys.append(wine.key)
        ids.append(.new())
        producers.append(wine.producer)
        names.append(wine.name)
        vintages.append(wine.vintage.map { Int32($0) })
        countries.append(wine.country)
        regions.append(wine.region)
        colours.append(wine.colour?.rawValue ?? "")
        grapes.append(wine.grapes.joined(separator: "|"))
        prices.append(wine.price?.minorUnits)
        currencies.append(wine.price?.currency.code)
        drinkFroms.append(wine.drinkFrom.map { Int32($0) })
        drinkUntils.append(wine.drinkUntil.map { Int32($0) })
        families.append(StoredWine.familyKey(wine.producer, wine.name, vintage: wine.vintage))
    }

    func insertion(_ household: HouseholdID) -> SQL {
        """
        INSERT INTO wine (household_id, id, producer, name, vintage, country, region, colour, grapes, release_minor,
            release_currency, drink_from, drink_until, family_key, source_key)
        SELECT \(household), n.id, n.producer, n.name, n.vintage, n.country, n.region, n.colour,
            string_to_array(n.grapes, '|'), n.price, n.currency, n.drink_from, n.drink_until, n.family, n.key
        FROM unnest(\(ids), \(producers), \(names), \(vintages), \(countries), \(regions), \(colours), \(grapes),
            \(prices), \(currencies), \(drinkFroms), \(drinkUntils), \(families), \(keys))
            AS n (id, producer, name, vintage, country, region, colour, grapes, price, currency, drink_from, drink_until,
                family, key)
        ON CONFLICT (household_id, source_key) DO UPDATE SET producer = excluded.producer, name = excluded.name,
            vintage = excluded.vintage, country = excluded.country, region = excluded.region, colour = excluded.colour,
            grapes = excluded.grapes, release_minor = excluded.release_minor,
            release_currency = excluded.release_currency, drink_from = excluded.drink_from,
            drink_until = excluded.drink_until, family_key = excluded.family_key, revision = wine.revision + 1,
            discarded_at = NULL
        """
    }

    /// A statement that imports into the operator's catalogue. The highest score becomes the shown score.
    var sharedInsertion: SQL {
        """
        WITH score AS (
            SELECT n.key, max(n.points) AS points, jsonb_agg(jsonb_build_object('critic', n.critic, 'points', n.points,
                'note', n.note, 'reviewed_on', n.day) ORDER BY n.critic) AS scores
            FROM unnest(\(scoreKeys), \(critics), \(points), \(notes), \(reviewDays))
                AS n (key, critic, points, note, day)
            GROUP BY n.key)
        INSERT INTO shared_wine (id, producer, name, vintage, country, region, colour, grapes, release_minor,
            release_currency, drink_from, drink_until, family_key, source_key, points, scores)
        SELECT n.id, n.producer, n.name, n.vintage, n.country, n.region, n.colour, string_to_array(n.grapes, '|'), n.price,
            n.currency, n.drink_from, n.drink_until, n.family, n.key, s.points, coalesce(s.scores, '[]')
        FROM unnest(\(ids), \(producers), \(names), \(vintages), \(countries), \(regions), \(colours), \(grapes),
            \(prices), \(currencies), \(drinkFroms), \(drinkUntils), \(families), \(keys))
            AS n (id, producer, name, vintage, country, region, colour, grapes, price, currency, drink_from, drink_until,
                family, key)
        LEFT JOIN score s ON s.key = n.key
        ON CONFLICT (source_key) DO UPDATE SET producer = excluded.producer, name = excluded.name,
            vintage = excluded.vintage, country = excluded.country, region = excluded.region, colour = excluded.colour,
            grapes = excluded.grapes, release_minor = excluded.release_minor,
            release_currency = excluded.release_currency, drink_from = excluded.drink_from,
            drink_until = excluded.drink_until, family_key = excluded.family_key, points = excluded.points,
            scores = excluded.scores
        """
    }

    func scoreInsertion(_ household: HouseholdID) -> SQL {
        """
        INSERT INTO wine_score (household_id, wine_id, critic, points, note, reviewed_on)
        SELECT \(household), w.id, n.critic, n.points, n.note, n.day
        FROM unnest(\(scoreKeys), \(critics), \(points), \(notes), \(reviewDays)) AS n (key, critic, points, note, day)
        JOIN wine w ON w.household_id = \(household) AND w.source_key = n.key
        ON CONFLICT (household_id, wine_id, critic) DO UPDATE
        SET points = excluded.points, note = excluded.note, reviewed_on = excluded.reviewed_on
        """
    }
}
