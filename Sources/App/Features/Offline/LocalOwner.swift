/// The owner of the data that a browser keeps for use without a connection.
enum LocalOwner {
    /// Household and person. A browser deletes the data of any other owner.
    static func name(_ member: Member) -> String { "\(member.household).\(member.person)" }
}
