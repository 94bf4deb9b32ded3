import Domain
import Postgres

/// The receipts that a member may see. A receipt with `hidden_until` in the future is visible to its uploader only.
enum Visibility {
    /// A condition on the receipt `r`: every member may see it.
    static func isPublished(_ today: LocalDate = WallClock.today()) -> SQL {
        "(r.hidden_until IS NULL OR r.hidden_until <= \(today))"
    }

    /// A condition on the receipt `r`: this member may see it.
    static func condition(_ member: Member) -> SQL {
        "(\(isPublished()) OR r.person_id = \(member.person))"
    }

    /// A condition on the receipt `r`: a gift of this member, that is, a confirmed receipt that is still hidden from
    /// the others. It has no price rows yet.
    static func isOwnGift(_ member: Member) -> SQL {
        """
        (r.hidden_until > \(WallClock.today()) AND r.person_id = \(member.person) AND r.stage = \(Stage.confirmed.sql)
            AND r.discarded_at IS NULL AND r.purchase_day IS NOT NULL)
        """
    }

    /// A condition on the store `s`: this member may see it. False if the store has receipts and all of them are hidden
    /// from this member, because its name would reveal a hidden receipt. `OFFSET 0` makes the planner look up the
    /// receipts of each store; otherwise it could read all receipts of the household.
    static func storeCondition(_ member: Member) -> SQL {
        """
        (EXISTS (SELECT 1 FROM receipt r WHERE r.household_id = s.household_id AND r.store_id = s.id
                AND \(condition(member)) OFFSET 0)
            OR NOT EXISTS (SELECT 1 FROM receipt r
                WHERE r.household_id = s.household_id AND r.store_id = s.id OFFSET 0))
        """
    }

    /// An SQL expression: the only person who may see the store; NULL if all members may. If all receipts of a store
    /// are hidden receipts of one person, the store's name would reveal a receipt of this person to the others. Hidden
    /// receipts of several people do not hide the store, because its name does not reveal whose receipts they are.
    static func personOfHiddenStore(_ store: SQL, _ household: HouseholdID) -> SQL {
        let receipts: SQL = "FROM receipt r WHERE r.household_id = \(household) AND r.store_id = \(store)"
        return """
            CASE WHEN EXISTS (SELECT 1 \(receipts)) AND NOT EXISTS (SELECT 1 \(receipts) AND \(isPublished()))
                THEN (SELECT CASE WHEN count(DISTINCT o.person) = 1 THEN (array_agg(o.person))[1] END
                    FROM (SELECT coalesce(r.person_id, '00000000-0000-0000-0000-000000000000') AS person \(receipts)) o)
                END
            """
    }
}
