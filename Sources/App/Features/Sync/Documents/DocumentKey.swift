import Domain

/// The type and the identifier of a document. The text form is `receipt:<uuid>`.
struct DocumentKey: Hashable, Sendable, CustomStringConvertible {
    let type: DocumentType
    let id: Identifier<Void>

    init(_ type: DocumentType, _ id: Identifier<Void>) {
        self.type = type
        self.id = id
    }

    /// Returns nil for an unknown type, or if the identifier is not written exactly as the server writes it.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let type = DocumentType(rawValue: String(parts[0])),
            let id = Identifier<Void>(parts[1]), id.description == parts[1]
        else { return nil }
        self.init(type, id)
    }

    var description: String { "\(type.rawValue):\(id)" }
}
