import Testing

/// What the documents say exists does exist.
@Suite struct DocumentationTests {
    static let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] + Project.files(in: "docs", ending: ".md")

    @Test(arguments: documents)
    func `every link inside the project leads somewhere`(document: String) throws {
        let folder = document.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        let links = try Project.text(document).matches(of: #/\]\(([^)#\s]+)/#).map { String($0.output.1) }
        #expect(links.filter { !$0.contains(":") && !Project.exists(folder + $0) } == [])
    }

    @Test(arguments: documents)
    func `every command named is there`(document: String) throws {
        let commands = try Project.text(document).matches(of: #/\bbin\/([a-z-]+)/#).map { "bin/\($0.output.1)" }
        #expect(Set(commands).filter { !Project.exists($0) } == [])
    }

    @Test func `every command explains itself and is executable`() throws {
        for command in Project.files(in: "bin", ending: "") where !command.contains("parts") {
            #expect(try Project.text(command).contains("# usage: \(command)"), "\(command)")
            #expect(Project.isExecutable(command), "\(command)")
        }
    }

    @Test(.enabled(if: Project.exists(reader), "there are no settings yet"))
    func `the table of settings names every setting the program reads, and no other`() throws {
        let documented = try Project.text("docs/reference/configuration.md")
            .matches(of: #/\n\| `ALLESTEURER_([A-Z_]+)` \|/#).map { $0.output.1 }
        let read = try Project.text(Self.reader).matches(of: #/\n +\("([A-Z_]+)", "/#).map { $0.output.1 }
        #expect(!read.isEmpty)
        #expect(documented.sorted() == read.sorted())
    }

    private static let reader = "Sources/App/Configuration/ConfigReader.swift"
}
