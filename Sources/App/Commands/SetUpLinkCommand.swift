import Crypto

/// `allesteurer setup-link`: prints a link for setting up a household. Prints nothing if a household exists, unless
/// `--another` is given.
enum SetUpLinkCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.isEmpty || arguments == ["--another"] else {
            throw UsageError(description: "takes --another only")
        }
        let config = try program.config()
        let allowsAnother = !arguments.isEmpty
        let link = try await OneLoop.run(config) { database in
            let invitations = Invitations(database: database)
            if !allowsAnother, try await !invitations.hasNoHousehold() { return String?.none }
            return "\(config.baseURL)/setup/\(try await invitations.setUp().secret)"
        }
        if let link { Console.print(link) }
        return 0
    }
}
