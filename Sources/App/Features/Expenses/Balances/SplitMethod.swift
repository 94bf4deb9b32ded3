/// How a person said for whom an expense was. The stored shares are weights, whatever the method was.
enum SplitMethod: String, Sendable, CaseIterable {
    /// Equal parts for all who take part.
    case equal
    case shares
    case percent
    case exact
    /// Line by line of a receipt.
    case lines
}
