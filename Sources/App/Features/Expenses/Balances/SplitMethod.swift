/// The way in which a split was entered. The stored shares are weights for every method.
enum SplitMethod: String, Sendable, CaseIterable {
    /// Equal shares for all who take part.
    case equal
    case shares
    case percent
    case exact
    /// By line of the receipt.
    case lines
}
