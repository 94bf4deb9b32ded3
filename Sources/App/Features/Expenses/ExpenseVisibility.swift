import Domain
import Postgres

/// The expenses that a member may see: all except the personal expenses of other members.
enum ExpenseVisibility {
    /// A condition on the expense `e`.
    static func condition(_ member: Member) -> SQL {
        "(NOT e.is_personal OR e.person_id = \(member.person))"
    }
}
