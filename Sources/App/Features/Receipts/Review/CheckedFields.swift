/// Doubtful values that a person compared with the picture and found right: ticked off for the head or for a line at once.
struct CheckedFields: Sendable, Equatable {
    private let parts: Set<String>

    /// The part of the head in the form's field `right`.
    static let head = "head"

    /// - Parameter parts: keys of lines, and `head`.
    init(_ parts: [String] = []) { self.parts = Set(parts) }

    var isEmpty: Bool { parts.isEmpty }

    /// - Parameter field: of the head.
    func contains(_ field: ReviewField) -> Bool { parts.contains(Self.head) }

    /// - Parameter line: the line's key.
    func contains(_ field: ReviewField, of line: String) -> Bool { parts.contains(line) }
}
