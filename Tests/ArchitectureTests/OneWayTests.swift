import Testing

/// Tasks for which the app has one implementation only.
@Suite(.timeLimit(.minutes(5))) struct OneWayTests {
    private func app() throws -> [SourceFile] {
        try SourceFile.all(in: "Sources").filter { $0.target == "App" }
    }

    @Test func `no type for persistence is named Store, which means a place where goods are sold`() throws {
        let pattern = #"\b(?:struct|class|enum|actor|protocol|typealias) \w+Stores?\b"#
        #expect(try SourceFile.all(in: "Sources").flatMap { try $0.matches(pattern) } == [])
    }

    @Test func `there is one type for a conflict`() throws {
        let types = #"\b(?:struct|class|enum) \w*(?:Conflict|Meanwhile)\w*: .*\bError\b"#
        #expect(try app().flatMap { try $0.matches(types) }.map(path) == ["Sources/App/Changes/Conflict.swift"])
        #expect(try app().flatMap { try $0.matches(#"\bcase \w*[mM]eanwhile\b"#) } == [])
    }

    @Test func `there is one type for field errors`() throws {
        let types = #"\b(?:struct|class|enum) \w*Errors\w*\b"#
        #expect(try app().flatMap { try $0.matches(types) }.map(path) == ["Sources/App/Requests/FieldErrors.swift"])
        #expect(try app().flatMap { try $0.matches(#"\berrors: \[String: "#) } == [])
    }

    @Test func `there is one error for a taken name and one for a full list`() throws {
        let types = #"\b(?:struct|class|enum) \w*(?:NameTaken|TooMany)\w*\b|\bcase nameTaken\b"#
        let foundFiles = try app().flatMap { try $0.matches(types) }.map(path)
        #expect(foundFiles.sorted() == ["Sources/App/Changes/NameTaken.swift", "Sources/App/Changes/TooMany.swift"])
    }

    @Test func `one function reads the revision of a form`() throws {
        let readers = try app().flatMap { try $0.matches(#"(?:\[|required\(|trimmed\(|values\()"revision""#) }
        #expect(Set(readers.map(path)) == ["Sources/App/Requests/Revision.swift"])
    }

    @Test func `one wrapper answers requests for documents that no longer exist`() throws {
        let wrappers = try app().flatMap { try $0.matches(#"\.status == \.notFound"#) }
        #expect(wrappers.map(path) == ["Sources/App/Changes/EndedDocument.swift"])
    }

    @Test func `a stage or verdict is compared with text only inside its own type`() throws {
        let types = ["Sources/App/Features/Receipts/Stage.swift", "Sources/App/Features/Receipts/Verdict.swift"]
        let pattern = #"(?:stage|verdict)\)?'?\)? *(?:=|==|<>|!=|IN) *\(?(?:'[a-z]|"[a-z])"#
        #expect(try app().filter { !types.contains($0.path) }.flatMap { try $0.matches(pattern) } == [])
    }

    /// Returns the path of a match, which has the form `path:line`.
    private func path(_ match: String) -> String { String(match.prefix { $0 != ":" }) }
}
