import Foundation

/// A source file, split into lines.
struct SourceFile {
    /// The path relative to the project, such as `Sources/Domain/Numbers/Money.swift`.
    let path: String
    let text: String
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    static func all(in folder: String, ending: String...) throws -> [SourceFile] {
        try Project.files(in: folder, ending: ending.isEmpty ? [".swift"] : ending).map {
            try SourceFile(path: $0, text: Project.text($0))
        }
    }

    var target: String { String(path.split(separator: "/")[1]) }

    /// The modules named by import declarations.
    var imports: Set<String> {
        let declaration =
            #/^(?:@\w+(?:\(\w+\))? +)*(?:\w+ +)?import +(?:(?:struct|class|enum|protocol|func|let|var|typealias) +)?(\w+)/#
        return Set(lines.compactMap { (try? declaration.firstMatch(in: $0))?.output.1 }.map(String.init))
    }

    /// Returns the lines of code that match, as `path:line`. Lines with only a comment are skipped. Foundation's
    /// regular expressions search the sources ten times as fast as Swift's.
    func matches(_ pattern: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: pattern)
        let found = expression.matches(in: text, range: NSRange(text.startIndex..., in: text))
        let numbers = found.map { match in
            text.utf16.prefix(match.range.location).count { $0 == 10 }
        }
        return Set(numbers).sorted().filter { !lines[$0].drop { $0 == " " }.hasPrefix("//") }.map {
            "\(path):\($0 + 1)"
        }
    }

    /// The comments, each with its line number. In Python files, these include docstrings.
    var comments: [(line: Int, text: Substring)] {
        let isSwift = path.hasSuffix(".swift")
        var isInDocstring = false
        return lines.enumerated().compactMap { index, line in
            let code = line.drop { $0 == " " }
            if !isSwift, code.contains("\"\"\"") {
                // A docstring on one line also ends on that line.
                if code.matches(of: #/"""/#).count == 1 { isInDocstring.toggle() }
                return code.hasPrefix("\"\"\"") || isInDocstring ? (index + 1, code) : nil
            }
            if isInDocstring { return (index + 1, code) }
            let mark = isSwift ? "//" : "#"
            if code.hasPrefix(mark) { return (index + 1, code) }
            guard let start = code.firstRange(of: " " + mark + " ") else { return nil }
            return (index + 1, code[start.lowerBound...])
        }
    }

    /// The names of tests, each with its line number: raw identifiers and the texts of `@Test`.
    var testNames: [(line: Int, text: Substring)] {
        let pattern = #/func `([^`]+)`|@Test\("([^"]+)"|^        "([^"]+)",$/#
        return lines.enumerated().compactMap { index, line in
            guard line.utf8.contains(UInt8(ascii: "`")) || line.utf8.contains(UInt8(ascii: "\"")) else { return nil }
            let name = line.firstMatch(of: pattern)?.output
            return name.flatMap { $0.1 ?? $0.2 ?? $0.3 }.map { (index + 1, $0) }
        }
    }

    /// The names of the non-private types that the file declares at top level, and of the types that it extends.
    var topLevelTypes: (declared: [Substring], extended: [Substring]) {
        let pattern = #/^(?:@\w+ )?((?:\w+ )*)(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        // Declarations at top level are not indented.
        let candidates = lines.filter { $0.first?.isLetter == true || $0.first == "@" }
        let matches = candidates.compactMap { $0.firstMatch(of: pattern)?.output }
        return (
            matches.filter { !$0.1.contains("private") }.map(\.2),
            candidates.compactMap { $0.firstMatch(of: #/^(?:\w+ )*extension ([\w.]+)/#)?.output.1 }
        )
    }
}
