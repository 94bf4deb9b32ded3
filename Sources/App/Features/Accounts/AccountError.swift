/// Why an account could not be created.
enum AccountError: Error {
    case loginTaken
    /// Another request used the link first.
    case invitationUsed
}
