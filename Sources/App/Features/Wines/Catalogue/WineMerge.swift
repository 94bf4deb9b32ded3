import Domain
import Postgres

extension WineEdits {
    /// Moves all data of the household about a wine to another wine, and deletes the first. If both have a score by one
    /// critic or a mark of one member, the target keeps its own.
    ///
    /// - Throws: `Refusal.notFound`, `WineQuotaError`.
    func merge(_ id: WineID, into target: WineID, by member: Member) async throws {
        guard id != target else { throw Refusal.badRequest }
        try await database.write(member.household, by: member.person) { changes in
            let household = changes.household
            try await Self.adopt(target, changes)
            try await Self.adopt(id, changes)
            try await changes.query(batch: [
                """
                UPDATE wine_score s SET wine_id = \(target) WHERE s.household_id = \(household) AND s.wine_id = \(id)
                    AND NOT EXISTS (SELECT 1 FROM wine_score o WHERE o.household_id = s.household_id
                        AND o.wine_id = \(target) AND o.critic = s.critic)
                """,
                """
                UPDATE wine_mark m SET wine_id = \(target) WHERE m.household_id = \(household) AND m.wine_id = \(id)
                    AND NOT EXISTS (SELECT 1 FROM wine_mark o WHERE o.household_id = m.household_id
                        AND o.wine_id = \(target) AND o.person_id = m.person_id)
                """,
                """
                UPDATE wine_alias a SET wine_id = \(target) WHERE a.household_id = \(household) AND a.wine_id = \(id)
                    AND NOT EXISTS (SELECT 1 FROM wine_alias o WHERE o.household_id = a.household_id
                        AND o.wine_id = \(target) AND o.alias_key = a.alias_key)
                """,
                """
                UPDATE wine_bottle SET wine_id = \(target), revision = revision + 1
                WHERE household_id = \(household) AND wine_id = \(id)
                """,
                """
                UPDATE wine_sighting SET wine_id = \(target) WHERE household_id = \(household) AND wine_id = \(id)
                """,
                """
                INSERT INTO wine_alias (household_id, id, alias_key, wine_id, is_match)
                SELECT household_id, \(AliasID.new()), family_key, \(target), true FROM wine
                WHERE household_id = \(household) AND id = \(id) AND family_key <> '' ON CONFLICT DO NOTHING
                """,
                """
                UPDATE wine SET discarded_at = now(), revision = revision + 1
                WHERE household_id = \(household) AND id = \(id)
                """,
                "UPDATE wine SET revision = revision + 1 WHERE household_id = \(household) AND id = \(target)",
            ])
            let bottles = try await changes.query(
                "SELECT id FROM wine_bottle WHERE household_id = \(household) AND wine_id = \(target)"
            ).decode(WineBottleID.self)
            changes.changed(.wineBottle, bottles)
            try await Self.finish([id, target], changes)
        }
    }
}
