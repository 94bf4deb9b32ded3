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
}
