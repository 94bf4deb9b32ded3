import Crypto

/// `allesteurer reset-link EMAIL`: prints a one-time link for setting a new password.
enum ResetLinkCommand {
    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        guard arguments.count == 1 else { throw UsageError(description: "takes one e-mail address") }
        let config = try program.config()
        let login = AccountForm.login(arguments[0])
        let token = try await OneLoop.run(config) { database in
            try await PasswordResets(database: database).create(login: login)
        }
        guard let token else {
            Console.error("allesteurer reset-link: no account has this e-mail address")
            return 1
        }
        Console.print("\(config.baseURL)/reset/\(token.secret)")
        return 0
    }
}
