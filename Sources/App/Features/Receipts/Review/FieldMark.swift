import Templates

/// The reason why a field is marked.
enum Doubt: Sendable, Equatable {
    /// A person should compare the value with the picture. One sentence explains all fields with this reason.
    case compare
    /// A person should compare the value with the picture. The sentence explains this field.
    case sentence(String)
    /// The value in the form is not valid. The sentence gives the reason.
    case wrong(String)

    /// Whether the field has no sentence of its own, because one sentence explains all fields with the reason
    /// `compare`.
    var hasSharedSentence: Bool { self == .compare }

    var isWrong: Bool {
        if case .wrong = self { true } else { false }
    }

    var sentence: String? {
        switch self {
        case .compare: nil
        case .sentence(let text), .wrong(let text): text
        }
    }
}

/// The mark of a field.
struct FieldMark: PageModel {
    /// The identifier of the HTML element that explains the mark.
    let id: String
    let isWrong: Bool
    /// Whether the field is the first wrong field of the page. That field gets the focus.
    let isFirst: Bool

    /// - Parameter key: the key of the field's line; empty for the head.
    init?(_ field: ReviewField, _ doubt: Doubt?, of key: String, firstWrong: String?) {
        guard let doubt, let id = FieldExplanation.id(field, doubt, of: key) else { return nil }
        (self.id, isWrong, isFirst) = (id, doubt.isWrong, id == firstWrong)
    }

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id }
        f.flag("isWrong") { $0.isWrong }
        f.flag("isFirst") { $0.isFirst }
    }
}

/// A sentence about marked fields, shown beside these fields.
struct FieldExplanation: PageModel {
    let id: String
    let text: String
    let isWrong: Bool

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id }
        f.text("text") { $0.text }
        f.flag("isWrong") { $0.isWrong }
    }

    /// The identifier of the HTML element that explains a field's mark.
    static func id(_ field: ReviewField, _ doubt: Doubt?, of key: String) -> String? {
        doubt.map { $0 == .compare ? "look" : ownID(field, key) }
    }

    /// The sentences for the doubtful fields of a line, or of the head if `key` is empty.
    static func list(_ doubts: [ReviewField: Doubt], of key: String) -> [FieldExplanation] {
        doubts.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { field, doubt in
            doubt.sentence.map { FieldExplanation(id: ownID(field, key), text: $0, isWrong: doubt.isWrong) }
        }
    }

    /// The identifier of the element that explains this field only.
    private static func ownID(_ field: ReviewField, _ key: String) -> String {
        "why-\(key.isEmpty ? field.rawValue : field.name(of: key))"
    }
}
