/// A declaration as its lines show it: `swift format` begins each on a line of its own, indented by what it stands in.
struct Declaration {
    let line: Int
    let indentation: Int
    /// `package` or `public`: seen from other targets.
    let isShared: Bool
    let keyword: String
    /// Without types, as documentation writes it: `description`, `encode(into:)`, `<`, `init(cell:)`.
    let name: String
    /// The names that a function's or an initialiser's body knows its parameters by.
    let parameters: [String]
    /// What follows the name on one line, the parameters whole.
    let rest: Substring
    let hasComment: Bool

    /// The declaration that begins on the line with this index, if one does.
    init?(_ lines: [Substring], at index: Int) {
        var text = lines[index].drop { $0 == " " }
        indentation = lines[index].count - text.count
        var isShared = false
        while case let modifier = text.prefix(while: \.isLetter), Self.modifiers.contains(modifier) || text.first == "@"
        {
            isShared = isShared || modifier == "package" || modifier == "public"
            text = text.drop { $0 != " " }.drop { $0 == " " }
        }
        let word = text.prefix { $0.isLetter }
        guard Self.keywords.contains(word) else { return nil }
        line = index + 1
        self.isShared = isShared
        keyword = String(word)
        text = Self.whole(text, before: lines[(index + 1)...])
        let base: Substring
        if word == "init" || word == "subscript" {
            base = word
        } else {
            text = text.dropFirst(word.count + 1)
            let identifier = text.prefix { $0.isLetter || $0.isNumber || "_`.".contains($0) }
            base = identifier.isEmpty ? text.prefix { $0 != " " && $0 != "(" } : identifier
        }
        rest = text.dropFirst(base.count)
        let names = word == "func" || word == "init" ? Self.parameters(in: rest) : []
        parameters = names.map(\.inner)
        // An operator has no labels.
        let hasLabels = (word == "func" || word == "init") && base.contains(where: \.isLetter)
        name = hasLabels ? "\(base)(\(names.map { "\($0.outer):" }.joined()))" : String(base)
        let above = lines[..<index].reversed().lazy.map { $0.drop { $0 == " " } }
        // Attributes may stand between a comment and what it is for.
        hasComment = above.first { !$0.hasPrefix("@") }?.hasPrefix("///") ?? false
    }

    var isType: Bool { Self.types.contains(keyword) }

    /// What a type or an extension names after its colon.
    var inherited: [String] {
        guard isType, let colon = rest.firstIndex(of: ":") else { return [] }
        let clause = rest[rest.index(after: colon)...].prefix { $0 != "{" }
        let names = clause.firstRange(of: " where ").map { clause[..<$0.lowerBound] } ?? clause
        return names.split { ",& ".contains($0) }.map { String($0.prefix { $0 != "<" }) }
    }

    private static let types: Set<String> = ["struct", "class", "enum", "actor", "protocol", "extension"]
    private static let keywords: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "extension", "func", "init", "subscript", "var", "let",
        "typealias",
    ]
    private static let modifiers: Set<Substring> = [
        "package", "public", "private", "fileprivate", "internal", "static", "final", "mutating", "override",
        "convenience", "indirect", "lazy", "weak", "consuming", "borrowing", "prefix", "isolated", "nonisolated",
    ]

    /// The declaration that begins with `text`, up to the end of its parameters or its list of protocols, on one line.
    private static func whole(_ text: Substring, before lines: ArraySlice<Substring>) -> Substring {
        var text = text
        for next in lines.prefix(20) {
            let isOpen = text.count { $0 == "(" } > text.count { $0 == ")" }
            guard isOpen || text.hasSuffix(",") else { break }
            text += " " + next.drop { $0 == " " }
        }
        return text
    }

    private static func parameters(in text: Substring) -> [(outer: Substring, inner: String)] {
        guard let open = text.firstIndex(of: "(") else { return [] }
        var pieces = [Substring()]
        var depth = 0
        var before: Character = " "
        for character in text[open...].dropFirst() {
            if "([{<".contains(character) { depth += 1 }
            if ")]}".contains(character) || character == ">" && before != "-" { depth -= 1 }
            if depth < 0 { break }
            if depth == 0, character == "," { pieces.append("") } else { pieces[pieces.count - 1].append(character) }
            before = character
        }
        return pieces.compactMap { piece in
            let names = piece.prefix { $0 != ":" }.split(separator: " ")
            return names.first.map { (outer: $0, inner: String(names.last ?? $0)) }
        }
    }
}
