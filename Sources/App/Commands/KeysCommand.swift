import Domain
import HTTP
import Postgres

/// `allesteurer keys list|create|revoke`: the API keys of a person, for the operator of the server.
enum KeysCommand {
    static let synopsis = "keys list EMAIL | create EMAIL NAME SCOPES [DAYS] | revoke ID"

    static func run(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch (arguments.first, rest.count) {
        case ("list", 1): return try await list(program, rest[0])
        case ("create", 3), ("create", 4): return try await create(program, rest)
        case ("revoke", 1): return try await revoke(program, rest[0])
        default: throw UsageError(description: "takes list, create or revoke, each with its arguments")
        }
    }

    private static func list(_ program: Program, _ email: String) async throws -> Int32 {
        let lines: [String]? = try await OneLoop.run(try program.config()) { database in
            guard let (person, household) = try await owner(email, database) else { return nil }
            return try await APIKeys(database: database).list(person, in: household).map { key in
                func day(_ instant: PostgresInstant?) -> String {
                    instant.map { String(WallClock.iso($0.microsecondsSince1970).prefix(10)) } ?? "never"
                }
                let scopes = key.scopes.map(\.rawValue).joined(separator: ",")
                return
                    "\(key.id)  \(key.hint)…  \(scopes)  expires \(day(key.expiresAt))  used \(day(key.usedAt))  \(key.name)"
            }
        }
        guard let lines else { return failForUnknownAccount() }
        if !lines.isEmpty { Console.print(lines.joined(separator: "\n")) }
        return 0
    }

    private static func create(_ program: Program, _ arguments: [String]) async throws -> Int32 {
        let name = arguments[1].trimmed
        guard (1...TextLimit.name).contains(name.length) else {
            throw UsageError(description: "NAME must have 1 to \(TextLimit.name) characters")
        }
        let names = arguments[2].split(separator: ",").map(String.init)
        let scopes = names.compactMap(KeyScope.init(rawValue:))
        guard !scopes.isEmpty, scopes.count == names.count else {
            let all = KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(description: "SCOPES must be one or more of \(all), separated by commas")
        }
        var days: Int?
        if arguments.count == 4 {
            guard let number = Int(arguments[3]), (1...3650).contains(number) else {
                throw UsageError(description: "DAYS must be a number from 1 to 3650")
            }
            days = number
        }
        let validDays = days
        let secret: String?
        do {
            secret = try await OneLoop.run(try program.config()) { database in
                guard let (person, household) = try await owner(arguments[0], database) else { return nil }
                return try await APIKeys(database: database).create(
                    name, scopes: Set(scopes), days: validDays, for: person, in: household
                ).secret
            }
        } catch let full as TooMany {
            Console.error("allesteurer keys: the account has \(full.limit) keys already; revoke one first")
            return 1
        }
        guard let secret else { return failForUnknownAccount() }
        Console.print(secret)
        return 0
    }

    private static func revoke(_ program: Program, _ text: String) async throws -> Int32 {
        guard let key = KeyID(text) else {
            throw UsageError(description: "ID must be one that `allesteurer keys list` prints")
        }
        let isRevoked = try await OneLoop.run(try program.config()) { database in
            try await APIKeys(database: database).revoke(key)
        }
        guard isRevoked else {
            Console.error("allesteurer keys: no key has this ID")
            return 1
        }
        return 0
    }

    /// Returns the person with this e-mail address, and the household that signing in opens.
    private static func owner(_ email: String, _ database: Database) async throws -> (PersonID, HouseholdID)? {
        try await database.read(
            """
            SELECT p.id, m.household_id FROM person p JOIN membership m ON m.person_id = p.id
            WHERE p.login = \(AccountForm.login(email)) ORDER BY m.joined_at LIMIT 1
            """
        ).first((PersonID, HouseholdID).self)
    }

    /// Returns the exit code.
    private static func failForUnknownAccount() -> Int32 {
        Console.error("allesteurer keys: no member of a household has this e-mail address")
        return 1
    }
}
