import Glibc

/// The command line `allesteurer COMMAND …`.
package struct Program: Sendable {
    let arguments: [String]
    let environment: [String: String]
    let executable: String
    let server: any ServerStarting

    /// Runs the command and exits with its exit code.
    package static func run(server: any ServerStarting) async -> Never {
        // A write to a closed connection returns an error instead of ending the process with a signal.
        signal(SIGPIPE, SIG_IGN)
        let program = Program(
            arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.all(),
            executable: ProcessEnvironment.executable(), server: server)
        exit(await program.run())
    }

    /// Exit codes: 0 success, 1 failure, 2 wrong usage, 78 invalid settings (EX_CONFIG of sysexits.h).
    private func run() async -> Int32 {
        guard let name = arguments.first else {
            Console.error(Self.usage)
            return 2
        }
        if name == "--help" || name == "-h" || name == "help" {
            Console.print(Self.usage)
            return 0
        }
        if name == "--version" {
            Console.print("\(ProgramVersion.name) \(ProgramVersion.number)")
            return 0
        }
        guard let command = Self.commands.first(where: { $0.name == name }) else {
            Console.error("allesteurer: unknown command \(name); see allesteurer --help")
            return 2
        }
        if let first = arguments.dropFirst().first, first == "--help" || first == "-h" {
            Console.print("usage: allesteurer \(command.synopsis)\n\n\(command.summary)")
            return 0
        }
        do {
            return try await command.run(self, Array(arguments.dropFirst()))
        } catch let error as ConfigError {
            Console.error("allesteurer: \(error)")
            return 78
        } catch let error as UsageError {
            Console.error("allesteurer \(name): \(error.description)\nusage: allesteurer \(command.synopsis)")
            return 2
        } catch {
            Console.error("allesteurer \(name): \(error)")
            return 1
        }
    }

    func config() throws -> Config { try Config(environment: environment, executable: executable) }

    static let commands: [Command] = [
        Command("serve", "serve", "serve the web application", ServeCommand.run),
        Command("migrate", "migrate", "migrate the database schema, as its owner", MigrateCommand.run),
        Command(
            "setup-link", "setup-link [--another]", "print a one-time link to set up a household",
            SetUpLinkCommand.run),
        Command(
            "reset-link", "reset-link EMAIL", "print a one-time link to set a new password for an account",
            ResetLinkCommand.run),
        Command("keys", KeysCommand.synopsis, "list, create and revoke the API keys of an account", KeysCommand.run),
        Command(
            "read", "read [--json] [--together] [--facts FILE] FILE…", "read receipts without a database",
            ReadCommand.run),
        Command(
            "demo", "demo [--again]", "create a demo household with two years of generated receipts",
            DemoCommand.run),
        Command(
            "backup", "backup [--household ID] --to FILE|FOLDER", "write an archive of everything or of one household",
            BackupCommand.run),
        Command(
            "restore", "restore FILE", "restore an installation into an empty database, or add a household",
            RestoreCommand.run),
        Command(
            "verify-backup", "verify-backup FILE", "restore an archive into a scratch database and compare it",
            VerifyBackupCommand.run),
        Command(
            "wines", WinesCommand.synopsis, "import wines for all households, or set a household's limits",
            WinesCommand.run),
        Command(
            "delete-household", "delete-household [ID NAME]", "list the households, or delete one with all its data",
            DeleteHouseholdCommand.run),
        Command("routes", "routes", "list every route with its lowest role and its handler", RoutesCommand.run),
        Command("facts", "facts", "print the built-in words and chains of receipts", FactsCommand.run),
        Command("check-config", "check-config", "check the settings", CheckConfigCommand.run),
    ]

    private static var usage: String {
        let width = (commands.map(\.synopsis.count).max() ?? 0) + 2
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let commands = commands.map { "  \(padded($0.synopsis, width))\($0.summary)" }.joined(separator: "\n")
        let settings = Config.variables.map { "  ALLESTEURER_\(padded($0.name, 20))\($0.meaning)" }
            .joined(separator: "\n")
        return """
            usage: allesteurer COMMAND

            \(commands)

            Settings, from the environment; NAME_FILE is the path of a file with the value:
            \(settings)
            """
    }
}
