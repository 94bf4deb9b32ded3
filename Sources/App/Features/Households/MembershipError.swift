/// The reason why a role could not be changed.
enum MembershipError: Error {
    /// The household would have no owner.
    case lastOwner
}
