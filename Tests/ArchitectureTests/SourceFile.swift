/// A Swift file as far as these tests look at it.
struct SourceFile {
    /// Relative to the project, such as `Sources/Domain/Money.swift`.
    let path: String
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    static func all(in folder: String) throws -> [SourceFile] {
        try Project.files(in: folder, ending: ".swift").map { try SourceFile(path: $0, text: Project.text($0)) }
    }

    var target: String { String(path.split(separator: "/")[1]) }

    /// The modules named by import declarations.
    var imports: Set<String> {
        let declaration =
            #/^(?:@\w+(?:\(\w+\))? +)*(?:\w+ +)?import +(?:(?:struct|class|enum|protocol|func|let|var|typealias) +)?(\w+)/#
        return Set(lines.compactMap { (try? declaration.firstMatch(in: $0))?.output.1 }.map(String.init))
    }

    /// Lines of code that match, as `path:line`; lines that are wholly comments are left out.
    func matches(_ pattern: some RegexComponent) -> [String] {
        lines.enumerated().compactMap { number, line in
            if line.drop(while: { $0 == " " }).hasPrefix("//") { return nil }
            return line.firstMatch(of: pattern) == nil ? nil : "\(path):\(number + 1)"
        }
    }

    /// Each declaration with the type or extension that it is a member of; those inside of functions are left out.
    var declarations: [(Declaration, of: Declaration?)] {
        var open: [Declaration] = []
        return lines.indices.compactMap { index in
            guard let declaration = Declaration(lines, at: index) else { return nil }
            open.removeAll { $0.indentation >= declaration.indentation }
            let type = open.last
            if declaration.isType { open.append(declaration) }
            guard declaration.indentation == (type.map { $0.indentation + 4 } ?? 0) else { return nil }
            return (declaration, of: type)
        }
    }

    /// What stands between the braces of a function or an initialiser.
    func statements(of declaration: Declaration) -> [Substring] {
        let brace = String(repeating: " ", count: declaration.indentation) + "}"
        // A default value may be a closure: the body's brace ends its line, or follows the parameters.
        let start = lines[(declaration.line - 1)...].firstIndex { $0.hasSuffix("{") || $0.contains(") {") }
        guard let start else { return [] }
        if lines[start].hasSuffix(" }"), let opening = lines[start].firstRange(of: ") { ") {
            return [lines[start][opening.upperBound...].dropLast(2)]
        }
        if lines[start].hasSuffix("{}") { return [] }
        return lines[(start + 1)...].prefix { $0 != brace }.map { $0.drop { $0 == " " } }
    }
}
