import Testing

/// The rules of CONTRIBUTING.md that a program can check.
@Suite struct ShapeTests {
    /// Names that say where something was put instead of what it is.
    static let grabBags = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utilities", "Service", "Common", "Misc"]

    @Test func `no folder or file is a grab bag`() throws {
        let paths = Project.files(in: "Sources", ending: ".swift") + Project.files(in: "Tests", ending: ".swift")
        let offenders = paths.filter { path in
            path.split(separator: "/").contains { part in
                Self.grabBags.contains { part == $0 || part.hasSuffix("\($0).swift") }
            }
        }
        #expect(offenders == [])
    }

    @Test func `no type is named for a grab bag`() throws {
        let pattern = #/\b(?:struct|class|enum|actor|protocol) \w*(?:Manager|Helpers?|Utils?|Utilities|Service)\b/#
        #expect(try SourceFile.all(in: "Sources").flatMap { $0.matches(pattern) } == [])
    }

    @Test func `files stay short`() throws {
        let long = try SourceFile.all(in: "Sources").filter { $0.lines.count > 301 }.map(\.path)
        #expect(long == [])
    }

    @Test(arguments: ["Sources/allesteurer/main.swift", "Sources/allesteurer-reader/main.swift"])
    func `an executable stays under 50 lines`(path: String) throws {
        #expect(SourceFile(path: path, text: try Project.text(path)).lines.count < 50)
    }

    @Test func `nothing unfinished and no crash as control flow is in the sources`() throws {
        let pattern = #/\bTODO\b|\bFIXME\b|\bXXX\b|\bfatalError\(|\btry!|\bas! /#
        #expect(try SourceFile.all(in: "Sources").flatMap { $0.matches(pattern) } == [])
    }

    @Test func `outside the event loop no task starts that does not name its loop`() throws {
        let pattern = #/\bTask(?:\.detached|\.immediate)? ?(?:\{|\((?!executorPreference:))/#
        let elsewhere = try SourceFile.all(in: "Sources").filter { $0.target != "EventLoop" }
        #expect(elsewhere.flatMap { $0.matches(pattern) } == [])
    }

    @Test func `amounts know no floating point`() throws {
        let amounts = try SourceFile.all(in: "Sources").filter { $0.path.hasPrefix("Sources/Domain/Numbers/") }
        #expect(!amounts.isEmpty)
        #expect(amounts.flatMap { $0.matches(#/\b(?:Double|Float|CGFloat|Decimal)\b/#) } == [])
    }

    @Test func `whoever promises the compiler Sendable says why`() throws {
        let unexplained = try SourceFile.all(in: "Sources").flatMap { file in
            file.matches(#/@unchecked Sendable/#).filter { place in
                guard let number = place.split(separator: ":").last.flatMap({ Int($0) }) else { return true }
                // The first comment inside, after the brace: what a declaration is for stands before it.
                let inside = file.lines[number..<min(file.lines.count, number + 3)]
                return !inside.contains { $0.contains(#/^ +\/\/ [A-Z]/#) }
            }
        }
        #expect(unexplained == [])
    }
}
