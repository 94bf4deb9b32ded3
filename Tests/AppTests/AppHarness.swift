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

    /// Stores the person and the household of the browser.
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

/// A browser that keeps cookies and sends the form token of its page. Confined to one test.
final class Browser {
    private let app: App
    private let language: String
    /// The cookies by their names, including prefixes.
    var cookies: [String: String] = [:]
    /// The person who signed up or joined with this browser.
    fileprivate(set) var person = PersonID(high: 0, low: 0)
    fileprivate(set) var household = HouseholdID(high: 0, low: 0)
    /// The address that its connections come from.
    var peer = PeerAddress.loopback

    init(app: App, language: String) {
        self.app = app
        self.language = language
    }

    func get(_ target: String) async throws -> Answer { try await send(.get, target, type: nil, []) }

    /// Sends a form with the token of `page`, or of a page that every member may see.
    func post(_ target: String, _ fields: KeyValuePairs<String, String> = [:], on page: Answer? = nil) async throws
        -> Answer
    {
        try await post(target, pairs: fields.map { ($0.key, $0.value) }, on: page)
    }

    /// Sends fields that a test computes. A name can occur several times.
    func post(_ target: String, pairs: [(String, String)], on page: Answer? = nil) async throws -> Answer {
        let fields = [("csrf", try await token(page))] + pairs
        let body = fields.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return try await send(.post, target, type: "application/x-www-form-urlencoded", Array(body.utf8))
    }

    /// Sends a multipart form with token, `fields` and one file, in this order.
    func upload(
        _ target: String, field: String, fileName: String, type: String, _ bytes: [UInt8], on page: Answer? = nil,
        fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Answer {
        let boundary = "----harness"
        var body: [UInt8] = []
        for (name, value) in [("csrf", try await token(page))] + fields.map({ ($0.key, $0.value) }) {
            body += Array(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        body += Array(
            """
            --\(boundary)\r\nContent-Disposition: form-data; name="\(field)"; filename="\(fileName)"\r\n\
            Content-Type: \(type)\r\n\r\n
            """.utf8)
        body += bytes
        body += Array("\r\n--\(boundary)--\r\n".utf8)
        return try await send(.post, target, type: "multipart/form-data; boundary=\(boundary)", body)
    }

    /// Sends any request with the cookies of this browser; `fields` are added to the head.
    ///
    /// - Throws: `RequestRefusal` if the server would answer without calling the app.
    func send(
        _ method: HTTP.Method, _ target: String, type: String?, _ body: [UInt8],
        fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Answer {
        try await send(method, target, type: type, body: RequestBody(body), fields: fields)
    }

    func send(
        _ method: HTTP.Method, _ target: String, type: String?, body: RequestBody,
        fields: KeyValuePairs<String, String>
    ) async throws -> Answer {
        try await send(method, target, type: type, body: body, pairs: fields.map { ($0.key, $0.value) })
    }

    func send(
        _ method: HTTP.Method, _ target: String, type: String?, _ body: [UInt8], pairs fields: [(String, String)]
    ) async throws -> Answer {
        try await send(method, target, type: type, body: RequestBody(body), pairs: fields)
    }

    private func send(
        _ method: HTTP.Method, _ target: String, type: String?, body: RequestBody, pairs fields: [(String, String)]
    ) async throws -> Answer {
        var text = "\(method.name) \(target) HTTP/1.1\r\nHost: localhost:8080\r\nAccept-Language: \(language)\r\n"
        if !cookies.isEmpty {
            text +=
                "Cookie: \(cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))\r\n"
        }
        if let type {
            text += "Content-Type: \(type)\r\nContent-Length: \(body.declaredLength ?? 0)\r\n"
            if !fields.contains(where: { $0.0 == "Sec-Fetch-Site" }) { text += "Sec-Fetch-Site: same-origin\r\n" }
        }
        for field in fields { text += "\(field.0): \(field.1)\r\n" }
        let input = Array((text + "\r\n").utf8)
        var parser = RequestParser()
        var position = 0
        guard case .head(let message)? = try parser.next(input, &position, end: input.count) else {
            throw IncompleteHead(text: text)
        }
        let head = try RequestHead(
            validating: message, id: RequestID(1), peer: peer, isSecure: false, hosts: app.hosts)
        let response = await app.respond(head, body)
        for field in response.headers.values(.setCookie) { storeCookie(field) }
        return try await Answer(response)
    }

    struct IncompleteHead: Error {
        let text: String
    }

    private func token(_ page: Answer?) async throws -> String {
        if let token = page?.token { return token }
        return try await get("/settings").token ?? ""
    }

    private func storeCookie(_ field: String) {
        let pair = field.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return }
        cookies[String(pair[0])] = field.contains("Max-Age=0") ? nil : String(pair[1])
    }
}

/// A response with its whole body, except that the body of a file is empty.
struct Answer: Sendable {
    let status: Status
    let headers: Headers
    let bytes: [UInt8]
    /// The size in bytes of the largest part of a streamed body; 0 for other bodies.
    private(set) var largestPart = 0
    /// The body as text. No-break spaces, as in amounts, are replaced by ordinary spaces, as in the texts of tests.
    var text: String { String(decoding: bytes, as: UTF8.self).replacing("\u{A0}", with: " ") }
    /// The target of a redirect.
    var location: String? { headers["Location"] }

    /// The receipt to whose page the answer redirects.
    func redirectedReceipt() throws -> ReceiptID {
        let location = try #require(self.location)
        return try #require(ReceiptID(String(location.split(separator: "/")[1])))
    }

    init(_ response: Response) async throws {
        status = response.status
        headers = response.headers
        switch response.body {
        case .none: bytes = []
        case .bytes(let body): bytes = body
        case .file: bytes = []
        case .stream(_, let write):
            let collected = CollectedBody()
            do {
                try await write(collected)
            } catch is Disconnected where collected.isDisconnected {}
            bytes = collected.bytes
            largestPart = collected.largestPart
        }
    }

    /// The form token of the page.
    var token: String? { attribute("value", after: "name=\"csrf\"") }

    /// Returns the value of the first attribute `name` after the text `mark`.
    func attribute(_ name: String, after mark: String) -> String? {
        guard let start = text.range(of: mark)?.upperBound,
            let value = text.range(of: "\(name)=\"", range: start..<text.endIndex)?.upperBound,
            let end = text[value...].firstIndex(of: "\"")
        else { return nil }
        return String(text[value..<end])
    }

    private final class CollectedBody: ResponseWriter, @unchecked Sendable {
        // Safe to share: written by one closure, and read after it has returned.
        var bytes: [UInt8] = []
        var largestPart = 0
        /// A stream of changes does not end by itself, so the reader disconnects after the first event.
        var isDisconnected = false

        func send(_ bytes: [UInt8]) async throws(Disconnected) {
            self.bytes += bytes
            largestPart = max(largestPart, bytes.count)
            isDisconnected = String(decoding: bytes, as: UTF8.self).contains("event: hello\n")
            if isDisconnected { throw Disconnected() }
        }
    }
}
