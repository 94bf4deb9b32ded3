/// The reason why an account could not be created.
enum AccountError: Error {
    case loginTaken
    /// The link has been used by another request or has expired.
    case invitationUsed
}
