import Domain

/// A document's name for clients: `receipt:<uuid>`.
struct DocumentKey: Hashable, Sendable, CustomStringConvertible {
    let type: DocumentType
    let id: Identifier<Void>

    init(_ type: DocumentType, _ id: Identifier<Void>) {
        self.type = type
        self.id = id
    }

    /// Nil for an unknown type, and for identifiers in other forms than the server writes.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let type = DocumentType(rawValue: String(parts[0])),
            let id = Identifier<Void>(parts[1]), id.description == parts[1]
        else { return nil }
        self.init(type, id)
    }

    var description: String { "\(type.rawValue):\(id)" }
}
