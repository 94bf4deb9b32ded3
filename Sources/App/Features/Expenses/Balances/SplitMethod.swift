/// The method by which a split was entered. All methods are stored as weights.
enum SplitMethod: String, Sendable, CaseIterable {
    /// Equal shares for all participants.
    case equal
    case shares
    case percent
    case exact
    /// Each line of the receipt is for one person or for all participants.
    case lines
}
