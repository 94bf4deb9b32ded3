import Templates

/// Why a field is marked.
enum Doubt: Sendable, Equatable {
    /// It is to be compared with the picture: said once for all such fields.
    case look
    /// Something that is said beside it.
    case sentence(String)
    /// It could not be understood, and why.
    case wrong(String)

    var isLook: Bool { self == .look }

    var isWrong: Bool {
        if case .wrong = self { true } else { false }
    }

    var sentence: String? {
        switch self {
        case .look: nil
        case .sentence(let text), .wrong(let text): text
        }
    }
}

/// How a field is marked.
struct FieldMark: PageModel {
    /// The element that explains it.
    let id: String
    let isWrong: Bool
    /// The first that is wrong: where the cursor goes.
    let isFirst: Bool

    init?(_ name: String, _ doubt: Doubt?, after key: String, firstWrong: String?) {
        guard let doubt, let id = Why.id(name, doubt, after: key) else { return nil }
        (self.id, isWrong, isFirst) = (id, doubt.isWrong, id == firstWrong)
    }

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id }
        f.flag("isWrong") { $0.isWrong }
        f.flag("isFirst") { $0.isFirst }
    }
}

/// A sentence beside the fields it explains.
struct Why: PageModel {
    let id: String
    let text: String
    let isWrong: Bool

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id }
        f.text("text") { $0.text }
        f.flag("isWrong") { $0.isWrong }
    }

    /// The element that explains a field's mark.
    static func id(_ name: String, _ doubt: Doubt?, after key: String) -> String? {
        doubt.map { $0 == .look ? "look" : own(name, key) }
    }

    static func list(_ doubts: [String: Doubt], after key: String) -> [Why] {
        doubts.sorted { $0.key < $1.key }.compactMap { name, doubt in
            doubt.sentence.map { Why(id: own(name, key), text: $0, isWrong: doubt.isWrong) }
        }
    }

    private static func own(_ name: String, _ key: String) -> String { "why-\(name)\(key)" }
}
