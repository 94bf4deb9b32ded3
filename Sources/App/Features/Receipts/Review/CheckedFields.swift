/// Doubtful values that a person compared with the picture and ticked off as correct. A person ticks off a whole line,
/// or all fields above the lines (the head).
struct CheckedFields: Sendable, Equatable {
    private let parts: Set<String>

    /// The value of the form's field `right` for the head of the receipt.
    static let head = "head"

    /// - Parameter parts: keys of lines, and `head`.
    init(_ parts: [String] = []) { self.parts = Set(parts) }

    var isEmpty: Bool { parts.isEmpty }

    /// - Parameter field: a field of the head.
    func contains(_ field: ReviewField) -> Bool { parts.contains(Self.head) }

    /// - Parameter line: the line's key.
    func contains(_ field: ReviewField, of line: String) -> Bool { parts.contains(line) }
}
