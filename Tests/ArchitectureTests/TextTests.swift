import Testing

/// The texts of the interface: both languages have the same keys, and every text is used.
@Suite(.timeLimit(.minutes(5))) struct TextTests {
    private static func keys(_ language: String) throws -> Set<String> {
        let lines = try Project.text("Views/texts/\(language).txt").split(separator: "\n")
        return Set(
            lines.filter { !$0.hasPrefix("#") }.compactMap { $0.firstMatch(of: #/^(\S+) = /#)?.output.1 }.map(
                String.init))
    }

    @Test func `both languages have the same keys`() throws {
        let (german, english) = (try Self.keys("de"), try Self.keys("en"))
        #expect(german.count > 300)
        #expect(german.symmetricDifference(english) == [])
    }

    @Test func `every text is used by a template or by code`() throws {
        let templates = try Project.files(in: "Views", ending: ".html").map(Project.text).joined()
        let keysInTemplates = Set(templates.matches(of: #/@([a-z0-9.-]+)/#).map { String($0.output.1) })
        let lines = try SourceFile.all(in: "Sources").flatMap(\.lines)
        let literals = lines.filter { $0.contains("\"server.") || $0.contains("\"errors.") }
            .flatMap { $0.matches(of: #/"((?:server|errors)\.[a-z0-9.-]*)(\\\(|")/#) }
        let keysInCode = Set(literals.filter { $0.output.2 == "\"" }.map { String($0.output.1) })
        // Code composes some keys at run time. After a literal beginning, such a key has nothing, a string literal, a
        // number, or the name of an enumeration case.
        let beginnings = Set(literals.filter { $0.output.2 != "\"" }.map { String($0.output.1) })
        let caseNames = Set(
            lines.filter { $0.contains("case ") }.flatMap { $0.matches(of: #/case ([a-z][A-Za-z, ]*)/#) }
                .flatMap { $0.output.1.split(separator: ", ") })
        let quoted = Set(lines.flatMap { $0.utf8.split(separator: UInt8(ascii: "\"")) }.map(Substring.init))
        let unused = try Self.keys("de").filter { key in
            // Code that uses `server.month.1` also uses its regional variant `server.month.1.at`.
            let key = key.replacing(#/\.at$/#, with: "")
            if keysInTemplates.contains(key) || keysInCode.contains(key) { return false }
            guard let beginning = beginnings.filter({ key.hasPrefix($0) }).max(by: { $0.count < $1.count }) else {
                return true
            }
            let rest = key.dropFirst(beginning.count)
            let end = rest.hasSuffix("-text") ? rest.dropLast(5) : rest
            return !rest.isEmpty && Int(rest) == nil && !quoted.contains(rest) && !quoted.contains(end)
                && !caseNames.contains(rest) && !quoted.contains(Substring(rest.replacing("-", with: "_")))
        }
        #expect(unused.sorted() == [])
    }
}
