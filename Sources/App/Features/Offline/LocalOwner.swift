/// The owner of the data that a browser stores for offline use.
enum LocalOwner {
    /// Returns the identifiers of the household and the person. The browser deletes stored data of any other owner.
    static func name(_ member: Member) -> String { "\(member.household).\(member.person)" }
}
