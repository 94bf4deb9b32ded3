/// The owner of the data that a browser keeps for offline use.
enum LocalOwner {
    /// Household and person. The browser deletes the data of any other owner.
    static func name(_ member: Member) -> String { "\(member.household).\(member.person)" }
}
