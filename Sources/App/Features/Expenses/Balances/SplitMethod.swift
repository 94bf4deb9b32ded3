/// How a person said for whom an expense was. The stored shares are weights, whatever the method was.
enum SplitMethod: String, Sendable, CaseIterable {
    /// Each of those who took part the same.
    case equal
    case shares
    case percent
    case exact
    /// Line by line of a receipt.
    case lines
}
