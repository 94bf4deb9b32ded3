import Domain
import HTTP
import Postgres
import Templates

/// The household's wine settings: the preferred critic, the operator's limits, and the usage.
struct WineSettingsController: Sendable {
    private let database: Database
    private let page: View<WineSettingsPage>

    /// The number of wines of the operator's catalogue, those with the highest scores, whose critics the page offers.
    private static let maximumShared: Int64 = 5_000

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        page = try views.page("wines/settings", WineSettingsPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/settings/wines", "WineSettingsController.show", show)
        try routes.member(.post, "/settings/wines", "WineSettingsController.prefer", prefer)
    }

    private func show(_ request: MemberRequest) async throws -> Response {
        let household = request.household
        let today = WallClock.today()
        let rows = try await database.read(
            household,
            batch: [
                "SELECT preferred_critic FROM wine_catalogue WHERE household_id = \(household)",
                """
                SELECT critic, count(*) FROM wine_score WHERE household_id = \(household) AND critic <> ''
                GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50
                """,
                """
                SELECT name, sum(count)::bigint, coalesce(sum(count) FILTER (WHERE day > \(today.adding(days: -30))), 0)::bigint,
                    coalesce(sum(count) FILTER (WHERE day = \(today)), 0)::bigint
                FROM wine_counter WHERE household_id = \(household) GROUP BY 1
                """,
                "SELECT count(*) FROM wine WHERE household_id = \(household) AND discarded_at IS NULL",
                """
                SELECT s.critic, count(*) FROM (
                    SELECT scores FROM shared_wine ORDER BY points DESC NULLS LAST, id LIMIT \(Self.maximumShared)) w
                CROSS JOIN LATERAL jsonb_to_recordset(w.scores) AS s (critic text)
                WHERE s.critic <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50
                """,
            ])
        let critics = try [rows[1], rows[4]].map { try $0.decode((String, Int64).self).map(\.0) }
        let counters = try rows[2].decode((String, Int64, Int64, Int64).self)
        return page.response(
            WineSettingsPage(
                preferred: try rows[0].first(String.self) ?? "",
                critics: critics[0] + critics[1].filter { !critics[0].contains($0) },
                counters: Dictionary(
                    counters.map { name, all, month, today in (name, (all: all, month: month, today: today)) }
                ) { first, _ in first },
                wineCount: try rows[3].first(Int64.self) ?? 0, plan: try await WinePlan.load(household, database),
                isMember: request.member.role >= .member, isOwner: request.member.role == .owner,
                words: page.words(request), language: request.language), for: request)
    }

    private func prefer(_ request: MemberRequest) async throws -> Response {
        let critic = (request.form.trimmed("critic") ?? "").cut(to: TextLimit.critic)
        try await database.write(request.household, by: request.member.person) { changes in
            let household = changes.household
            try await changes.query(
                """
                INSERT INTO wine_catalogue (household_id, preferred_critic) VALUES (\(household), \(critic))
                ON CONFLICT (household_id) DO UPDATE SET preferred_critic = excluded.preferred_critic,
                    version = wine_catalogue.version + 1, revision = wine_catalogue.revision + 1
                """)
            // Updates only wines with more than one score, because the preference has no effect on other wines.
            try await changes.query(
                WineEdits.shownScores(
                    household,
                    """
                    w.id IN (SELECT s.wine_id FROM wine_score s WHERE s.household_id = \(household)
                        GROUP BY s.wine_id HAVING count(*) > 1)
                    """))
            changes.changed(.wineCatalogue, household)
        }
        return .redirect(to: "/settings/wines").flashing(Flash("saved"))
    }
}
