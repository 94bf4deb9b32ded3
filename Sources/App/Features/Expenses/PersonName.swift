import Domain
import Postgres

/// The names of people on pages with amounts of money, where two people must not have the same name.
enum PersonName {
    /// The name of person `p`, followed by the e-mail address if another member of the household has the same name.
    static func distinct(_ household: HouseholdID) -> SQL {
        """
        p.name || CASE WHEN EXISTS (SELECT 1 FROM membership a
                WHERE a.household_id = \(household) AND a.person_id = p.id)
            AND EXISTS (SELECT 1 FROM membership b JOIN person o ON o.id = b.person_id
                WHERE b.household_id = \(household) AND o.id <> p.id AND lower(o.name) = lower(p.name))
            THEN ' (' || p.login || ')' ELSE '' END
        """
    }
}
