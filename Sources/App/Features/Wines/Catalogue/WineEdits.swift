import Domain
import Postgres
import Wines

/// Changes to wines of the catalogue. Each operation is one transaction.
struct WineEdits: Sendable {
    let database: Database

    /// - Parameter form: identifies the submitted form. A form that is sent twice adds one wine.
    /// - Throws: `WineQuotaError`, `RepeatedForm`.
    func add(_ values: WineForm.Values, form: OperationID?, by member: Member) async throws -> WineID {
        let id = WineID.new()
        try await database.write(member.household, by: member.person) { changes in
            try await changes.requireFirst(form)
            try await WinePlan.requireRoom(for: 1, changes)
            try await Self.insert(id, values, changes)
            if let score = values.score { try await Self.put(score, of: id, changes) }
            try await Self.finish([id], changes)
        }
        return id
    }

    private static func insert(_ id: WineID, _ values: WineForm.Values, _ changes: HouseholdTransaction) async throws {
        let family = StoredWine.familyKey(values.producer, values.name, vintage: values.vintage)
        try await changes.query(
            """
            INSERT INTO wine (household_id, id, producer, name, vintage, country, region, colour, grapes, release_minor,
                release_currency, drink_from, drink_until, family_key)
            VALUES (\(changes.household), \(id), \(values.producer), \(values.name), \(values.vintage)::smallint,
                \(values.country), \(values.region), \(values.colour?.rawValue ?? ""), \(values.grapes),
                \(values.price?.minorUnits), \(values.price?.currency.code), \(values.drinkFrom)::smallint,
                \(values.drinkUntil)::smallint, \(family))
            """)
    }

    /// - Throws: `Conflict`, `Refusal.notFound`, `WineQuotaError`.
    func update(_ id: WineID, _ values: WineForm.Values, revision: Int64, by member: Member) async throws {
        let family = StoredWine.familyKey(values.producer, values.name, vintage: values.vintage)
        try await database.write(member.household, by: member.person) { changes in
            try await Self.copyFromShared(id, changes)
            try Conflict.requireRevision(try await Self.revision(id, changes), shown: revision)
            try await changes.query(
                """
                UPDATE wine SET producer = \(values.producer), name = \(values.name), vintage = \(values.vintage)::smallint,
                    country = \(values.country), region = \(values.region), colour = \(values.colour?.rawValue ?? ""),
                    grapes = \(values.grapes), release_minor = \(values.price?.minorUnits),
                    release_currency = \(values.price?.currency.code), drink_from = \(values.drinkFrom)::smallint,
                    drink_until = \(values.drinkUntil)::smallint,
                    family_key = \(family), revision = revision + 1
                WHERE household_id = \(changes.household) AND id = \(id)
                """)
            try await Self.finish([id], changes)
        }
    }

    /// Adds or replaces a critic's score.
    ///
    /// - Throws: `Refusal.notFound`, `WineQuotaError`.
    func score(_ id: WineID, _ score: WineScore, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try await Self.copyFromShared(id, changes)
            try await Self.put(score, of: id, changes)
            try await Self.raiseRevision(id, changes)
            try await Self.finish([id], changes)
        }
    }

    /// - Throws: `Refusal.notFound`, `WineQuotaError`.
    func removeScore(of critic: String, _ id: WineID, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try await Self.copyFromShared(id, changes)
            try await changes.query(
                """
                DELETE FROM wine_score WHERE household_id = \(changes.household) AND wine_id = \(id) AND critic = \(critic)
                """)
            try await Self.raiseRevision(id, changes)
            try await Self.finish([id], changes)
        }
    }

    /// Deletes or restores a wine.
    ///
    /// - Parameter revision: the expected revision; nil for any.
    /// - Throws: `Conflict`, `Refusal.notFound`, `WineQuotaError`.
    func setDiscarded(_ isDiscarded: Bool, _ id: WineID, revision: Int64?, by member: Member) async throws {
        try await database.write(member.household, by: member.person) { changes in
            try Conflict.requireRevision(try await Self.revision(id, changes), shown: revision)
            try await changes.query(
                """
                UPDATE wine SET discarded_at = CASE WHEN \(isDiscarded) THEN now() END, revision = revision + 1
                WHERE household_id = \(changes.household) AND id = \(id)
                """)
            if !isDiscarded { try await WinePlan.requireRoom(for: 0, changes) }
            try await Self.finish([id], changes)
        }
    }

    /// Records that a printed text is, or is not, the name of a wine. Later scans use this for the same text.
    ///
    /// - Throws: `Refusal.notFound`, `WineQuotaError`.
    func recordMatch(_ printed: String, _ id: WineID, isMatch: Bool, by member: Member) async throws {
        let key = HouseholdWines.key(printed)
        guard !key.isEmpty else { return }
        try await database.write(member.household, by: member.person) { changes in
            try await Self.copyFromShared(id, changes)
            if isMatch {
                // A text can be the name of one wine only.
                try await changes.query(
                    """
                    DELETE FROM wine_alias WHERE household_id = \(changes.household) AND alias_key = \(key) AND is_match
                    """)
            }
            try await changes.query(
                """
                INSERT INTO wine_alias (household_id, id, alias_key, wine_id, is_match)
                VALUES (\(changes.household), \(AliasID.new()), \(key), \(id), \(isMatch))
                ON CONFLICT (household_id, alias_key, wine_id) DO UPDATE SET is_match = excluded.is_match
                """)
            try await Self.raiseRevision(id, changes)
            changes.changed(.wine, id)
        }
    }

    // MARK: Parts

    static func put(_ score: WineScore, of id: WineID, _ changes: HouseholdTransaction) async throws {
        try await changes.query(
            """
            INSERT INTO wine_score (household_id, wine_id, critic, points, note, reviewed_on)
            VALUES (\(changes.household), \(id), \(score.critic), \(score.points)::smallint, \(score.note), \(score.reviewedOn))
            ON CONFLICT (household_id, wine_id, critic) DO UPDATE
            SET points = excluded.points, note = excluded.note, reviewed_on = excluded.reviewed_on
            """)
    }

    /// Increments the revision of a wine whose scores, marks or aliases changed.
    static func raiseRevision(_ id: WineID, _ changes: HouseholdTransaction) async throws {
        try await changes.query(
            "UPDATE wine SET revision = revision + 1 WHERE household_id = \(changes.household) AND id = \(id)")
    }

    private static func revision(_ id: WineID, _ changes: HouseholdTransaction) async throws -> Int64 {
        let stored = try await changes.query(
            "SELECT revision FROM wine WHERE household_id = \(changes.household) AND id = \(id)"
        ).first(Int64.self)
        guard let stored else { throw Refusal.notFound }
        return stored
    }

    /// Copies a wine of the operator's catalogue into the household's catalogue, so that rows of the household can
    /// refer to it. Does nothing if the household's catalogue has the wine.
    ///
    /// - Throws: `Refusal.notFound`, `WineQuotaError`.
    static func copyFromShared(_ id: WineID, _ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let ownCopy = try await changes.query(
            "SELECT discarded_at IS NULL FROM wine WHERE household_id = \(household) AND id = \(id)")
        if let isKept = try ownCopy.first(Bool.self) {
            guard isKept else { throw Refusal.notFound }
            return
        }
        let copied = try await changes.query(
            """
            INSERT INTO wine (household_id, id, producer, name, vintage, country, region, colour, grapes, release_minor,
                release_currency, drink_from, drink_until, family_key, points)
            SELECT \(household), id, producer, name, vintage, country, region, colour, grapes, release_minor,
                release_currency, drink_from, drink_until, family_key, points
            FROM shared_wine WHERE id = \(id) RETURNING id
            """)
        guard !copied.isEmpty else { throw Refusal.notFound }
        try await WinePlan.requireRoom(for: 0, changes)
        try await changes.query(
            """
            INSERT INTO wine_score (household_id, wine_id, critic, points, note, reviewed_on)
            SELECT \(household), w.id, coalesce(s.critic, ''), s.points, coalesce(s.note, ''), s.reviewed_on
            FROM shared_wine w
            CROSS JOIN LATERAL jsonb_to_recordset(w.scores)
                AS s (critic text, points smallint, note text, reviewed_on date)
            WHERE w.id = \(id) AND s.points IS NOT NULL ON CONFLICT DO NOTHING
            """)
        try await changes.query(shownScores(household, "w.id = \(id)"))
        try await raiseVersion(changes)
        changes.changed(.wine, id)
    }

    /// Updates the shown scores, invalidates the search indexes, and adds the wines to the change log.
    static func finish(_ ids: [WineID], _ changes: HouseholdTransaction) async throws {
        try await raiseVersion(changes)
        try await changes.query(shownScores(changes.household, "w.id = ANY(\(ids))"))
        changes.changed(.wine, ids)
    }

    static func raiseVersion(_ changes: HouseholdTransaction) async throws {
        try await changes.query(
            """
            INSERT INTO wine_catalogue (household_id) VALUES (\(changes.household))
            ON CONFLICT (household_id) DO UPDATE SET version = wine_catalogue.version + 1
            """)
    }

    /// A statement that updates the shown scores of wines; `condition` refers to the table alias `w`.
    static func shownScores(_ household: HouseholdID, _ condition: SQL) -> SQL {
        """
        UPDATE wine w SET points = (
            SELECT s.points FROM wine_score s
            LEFT JOIN wine_catalogue c ON c.household_id = s.household_id
            WHERE s.household_id = w.household_id AND s.wine_id = w.id
            ORDER BY s.critic = nullif(c.preferred_critic, '') DESC NULLS LAST, s.points DESC LIMIT 1)
        WHERE w.household_id = \(household) AND \(condition)
        """
    }
}
