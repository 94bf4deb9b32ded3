import Domain
import Postgres

/// The expenses that a member may see. A personal expense is visible only to the person who typed it in.
enum ExpenseVisibility {
    /// A condition over the expense `e`.
    static func condition(_ member: Member) -> SQL {
        "(NOT e.is_personal OR e.person_id = \(member.person))"
    }
}
