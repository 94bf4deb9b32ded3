import Testing

/// Files, commands and settings that the documentation names must exist.
@Suite(.timeLimit(.minutes(5))) struct DocumentationTests {
    static let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "secrets/README.md"]
        + Project.files(in: "docs", ending: ".md")

    @Test(arguments: documents)
    func `every relative link points to a file`(document: String) throws {
        let folder = document.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        let links = try Project.text(document).matches(of: #/\]\(([^)#\s]+)/#).map { String($0.output.1) }
        #expect(links.filter { !$0.contains(":") && !Project.exists(folder + $0) } == [])
    }

    @Test(arguments: documents)
    func `every command in the documents exists`(document: String) throws {
        let commands = try Project.text(document).matches(of: #/(?:^|[^\/\w])bin\/([a-z-]+)/#).map {
            "bin/\($0.output.1)"
        }
        #expect(Set(commands).filter { !Project.exists($0) } == [])
    }

    @Test(arguments: documents)
    func `every subcommand in the documents exists`(document: String) throws {
        let program = try Project.text("Sources/App/Commands/Program.swift")
        let knownCommands = program.matches(of: #/Command\(\s*"([a-z-]+)"/#).map { String($0.output.1) } + ["help"]
        #expect(knownCommands.contains("reset-link"))
        let namedCommands = try Project.text(document).matches(of: #/(?:`|\n|\/)allesteurer ([a-z-]+)/#)
            .map { String($0.output.1) }
        #expect(namedCommands.filter { !knownCommands.contains($0) } == [])
    }

    @Test func `every command has a usage line and is executable`() throws {
        for command in Project.files(in: "bin", ending: "") where !command.contains("parts") {
            #expect(try Project.text(command).contains("# usage: \(command)"), "\(command)")
            #expect(Project.isExecutable(command), "\(command)")
        }
    }

    @Test(.enabled(if: Project.exists(settingsFile), "the file that reads the settings does not exist"))
    func `the table of settings lists exactly the settings that the program reads`() throws {
        let documented = try Project.text("docs/reference/configuration.md")
            .matches(of: #/\n\| `ALLESTEURER_([A-Z_]+)` \|/#).map { $0.output.1 }
        let readSettings = try Project.text(Self.settingsFile).matches(of: #/\n +\("([A-Z_]+)", "/#).map { $0.output.1 }
        #expect(!readSettings.isEmpty)
        #expect(documented.sorted() == readSettings.sorted())
    }

    /// Environment variables that only tests and scripts read, without the prefix `ALLESTEURER_`.
    private static let otherVariables = [
        "TEST_DATA", "TEST_PICTURES", "BACKUP_LIMIT", "WRITE_ROUTES", "WRITE_ARCHIVES",
    ]

    @Test(.enabled(if: Project.exists(settingsFile)), arguments: documents + ["docker-compose.yml", "Dockerfile"])
    func `every setting in the documents exists`(document: String) throws {
        let readSettings = try Project.text(Self.settingsFile).matches(of: #/\n +\("([A-Z_]+)", "/#).map {
            String($0.output.1)
        }
        let knownVariables = Set(readSettings + readSettings.map { "\($0)_FILE" } + Self.otherVariables)
        let namedVariables = try Project.text(document).matches(of: #/ALLESTEURER_([A-Z_]*[A-Z])/#).map {
            String($0.output.1)
        }
        #expect(Set(namedVariables).subtracting(knownVariables) == [])
    }

    private static let settingsFile = "Sources/App/Configuration/Config+Environment.swift"
}
