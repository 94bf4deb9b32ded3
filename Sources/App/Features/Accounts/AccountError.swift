/// The reason why an account could not be created.
enum AccountError: Error {
    case loginTaken
    /// Another request has used the link.
    case invitationUsed
}
