import Testing

/// The rules of CONTRIBUTING.md that a program can check.
@Suite(.timeLimit(.minutes(5))) struct ShapeTests {
    /// Names of folders, files and types that do not describe their contents.
    static let vagueNames = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utilities", "Service", "Common", "Misc"]

    @Test func `no folder or file has a vague name`() throws {
        let paths = Project.files(in: "Sources", ending: ".swift") + Project.files(in: "Tests", ending: ".swift")
        let offenders = paths.filter { path in
            path.split(separator: "/").contains { part in
                Self.vagueNames.contains { part == $0 || part.hasSuffix("\($0).swift") }
            }
        }
        #expect(offenders == [])
    }

    @Test func `no type has a vague name`() throws {
        let pattern = #"\b(?:struct|class|enum|actor|protocol) \w*(?:Manager|Helpers?|Utils?|Utilities|Service)\b"#
        #expect(try SourceFile.all(in: "Sources").flatMap { try $0.matches(pattern) } == [])
    }

    @Test func `a file has the name of a type that it declares or extends`() throws {
        let offenders = try SourceFile.all(in: "Sources").filter { file in
            let name = file.path.split(separator: "/").last.map { $0.dropLast(".swift".count) } ?? ""
            let types = file.topLevelTypes
            let extended = types.extended.flatMap { $0.split(separator: ".") }
            guard let subject = name.split(separator: "+").first, !types.declared.isEmpty else { return false }
            return !types.declared.contains(subject) && !(name.contains("+") && extended.contains(subject))
        }.map(\.path)
        #expect(offenders == [])
    }

    @Test(arguments: ["Sources", "Tests"]) func `no file is longer than 300 lines`(folder: String) throws {
        let long = try SourceFile.all(in: folder).filter { $0.lines.count > 301 }.map(\.path)
        #expect(long == [])
    }

    @Test(arguments: ["Sources/allesteurer/main.swift", "Sources/allesteurer-reader/main.swift"])
    func `an executable has fewer than 50 lines`(path: String) throws {
        #expect(SourceFile(path: path, text: try Project.text(path)).lines.count < 50)
    }

    @Test func `the sources have no TODO, no fatalError, no try! and no forced cast`() throws {
        let pattern = #"\bTODO\b|\bFIXME\b|\bXXX\b|\bfatalError\(|\btry!|\bas! "#
        #expect(try SourceFile.all(in: "Sources").flatMap { try $0.matches(pattern) } == [])
    }

    @Test func `outside EventLoop, every task sets its executor`() throws {
        let pattern = #"\bTask(?:\.detached|\.immediate)? ?(?:\{|\((?!executorPreference:))"#
        let elsewhere = try SourceFile.all(in: "Sources").filter { $0.target != "EventLoop" }
        #expect(try elsewhere.flatMap { try $0.matches(pattern) } == [])
    }

    @Test func `amounts are computed without floating point`() throws {
        let amounts = try SourceFile.all(in: "Sources").filter { $0.path.hasPrefix("Sources/Domain/Numbers/") }
        #expect(!amounts.isEmpty)
        #expect(try amounts.flatMap { try $0.matches(#"\b(?:Double|Float|CGFloat|Decimal)\b"#) } == [])
    }

    @Test func `every @unchecked Sendable has a comment that says why it is safe`() throws {
        let unexplained = try SourceFile.all(in: "Sources").flatMap { file in
            try file.matches(#"@unchecked Sendable"#).filter { match in
                guard let number = match.split(separator: ":").last.flatMap({ Int($0) }) else { return true }
                // The reason is a comment in one of the first three lines of the type.
                let inside = file.lines[number..<min(file.lines.count, number + 3)]
                return !inside.contains { $0.contains(#/^ +\/\/ [A-Z]/#) }
            }
        }
        #expect(unexplained == [])
    }
}
