import Crypto
import Domain
import EventLoop
import Foundation
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// The whole app on its own loop, with the database of the running test. Requests are passed to it without sockets.
///
/// ```swift
/// @Test(.database) func `…`() async throws {
///     try await AppHarness.run { harness in
///         let anna = try await harness.signUp()
///         #expect(try await anna.get("/products").status == .ok)
///     }
/// }
/// ```
struct AppHarness: Sendable {
    let app: App
    let database: Database
    private let testDatabase: TestDatabase

    /// Runs `body` on a new loop; the test needs the trait `.database`.
    ///
    /// - Parameter folder: the folder for archives; nil for none.
    static func run(
        folder: String? = nil, _ body: @escaping @Sendable (AppHarness) async throws -> Void
    ) async throws {
        let testDatabase = try TestDatabase.current
        try await onLoop { loop in
            let pool = Pool(loop: loop, settings: testDatabase.settings)
            defer { pool.close() }
            let database = Database(pools: [pool])
            let app = try SharedViews.app(database, folder: folder)
            try await body(AppHarness(app: app, database: database, testDatabase: testDatabase))
        }
    }

    /// Passwords of tests are hashed at the lowest cost.
    static let passwordCost = PasswordCost(memory: 64, passes: 1)

    /// Settings for a server on this machine. The database URL is not used, because each test has its own database.
    static func config() throws -> Config {
        let root = TestSources.root
        return try Config(
            environment: [
                "ALLESTEURER_DATABASE_URL": "postgresql:///unused", "ALLESTEURER_LISTEN": "127.0.0.1:8080",
                "ALLESTEURER_VIEWS": root + "/Views", "ALLESTEURER_PUBLIC": root + "/Public",
                "ALLESTEURER_MIGRATIONS": root + "/Migrations",
                // The matrix tests send thousands of requests per minute. Rate limits have their own tests.
                "ALLESTEURER_API_RATE": "1000000",
                // The servers that receive webhooks in tests are on this machine.
                "ALLESTEURER_WEBHOOK_PRIVATE": "1",
            ], executable: root + "/.build/debug/allesteurer")
    }

    /// A blocking connection as the owner role, to prepare data and to read the database directly.
    func owner() throws -> SynchronousConnection { try testDatabase.owner() }

    /// Returns a browser without cookies.
    func browser(language: String = "de") -> Browser { Browser(app: app, language: language) }

    /// Sets up a household through its one-time link. The returned browser is signed in as its owner.
    func signUp(_ name: String = "Anna Berger", household: String = "Haus", language: String = "de") async throws
        -> Browser
    {
        let browser = browser(language: language)
        let link = "/setup/\(try await Invitations(database: database).setUp().secret)"
        let page = try await browser.get(link)
        let login = "\(name.lowercased().filter { $0.isLetter }).\(UInt64.random(in: .min ... .max))@example.at"
        let answer = try await browser.post(
            link, ["household": household, "name": name, "email": login, "password": "vier Tassen Kaffee 7"], on: page)
        try #require(answer.status == .seeOther, "\(answer.text)")
        try await remember(login, browser)
        return browser
    }

    /// Adds a member to the household of `owner` through a one-time link. The returned browser is signed in.
    func join(_ owner: Browser, as role: Member.Role, name: String = "Paul Huber") async throws -> Browser {
        let browser = browser()
        let invitation = try await Invitations(database: database).invite(
            into: owner.household, by: owner.person, role: role)
        let link = "/join/\(invitation.token.secret)"
        let login = "join.\(UInt64.random(in: .min ... .max))@example.at"
        let answer = try await browser.post(
            link, ["name": name, "email": login, "password": "vier Tassen Kaffee 7"], on: try await browser.get(link))
        try #require(answer.status == .seeOther, "\(answer.text)")
        try await remember(login, browser)
        return browser
    }

    /// Looks up the ids of the person and the household, and stores them in the browser.
    private func remember(_ login: String, _ browser: Browser) async throws {
        let rows = try await database.read(
            """
            SELECT p.id, m.household_id FROM person p JOIN membership m ON m.person_id = p.id WHERE p.login = \(login)
            """)
        let (person, home) = try #require(try rows.first((PersonID, HouseholdID).self))
        browser.person = person
        browser.household = home
    }
}

/// The templates are parsed once for all tests. Passwords have the lowest cost; CryptoTests and GuessingTests test the
/// real cost.
private enum SharedViews {
    private static let lock = Lock()
    nonisolated(unsafe) private static var views: Views?

    static func app(_ database: Database, folder: String?) throws -> App {
        // Templates are parsed by one thread at a time.
        try lock.withLock { () throws(any Error) in
            var config = try AppHarness.config()
            config.backupFolder = folder
            let views = try views ?? Views(config)
            Self.views = views
            return try App(
                config: config, database: database, log: Log(level: .error), views: views,
                passwords: PasswordHasher(cost: AppHarness.passwordCost))
        }
    }
}
