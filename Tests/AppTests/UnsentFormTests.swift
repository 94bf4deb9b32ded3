import EventLoop
import HTTP
import TestSupport
import Testing

@testable import App
@testable import Postgres

/// Forms that the server answers with a temporary error.
@Suite(.timeLimit(.minutes(5))) struct UnsentFormTests {
    /// Returns a browser with the same cookies, for an app without a database.
    private func withoutDatabase(_ browser: Browser) throws -> Browser {
        let loop = try #require(EventLoop.current)
        let pool = Pool(loop: loop, settings: try TestDatabase.current.settings)
        pool.close()
        let app = try App(
            config: AppHarness.config(), database: Database(pools: [pool]), log: Log(level: .error))
        let other = Browser(app: app, language: "de")
        other.cookies = browser.cookies
        return other
    }

    @Test(.database) func `a form sent during a database outage is kept on the page and can be sent again`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            let key = try scene.keys(receipt)[0]
            let token = try #require(try await anna.get("/settings").token)
            let target = "/receipts/\(receipt)/confirmation"
            let body = Array(
                """
                csrf=\(token)&revision=1&store=HOFER&day=2026-11-02&total=1,99&line=\(key)&name-\(key)=%22VOLL%22MILCH\
                &total-\(key)=1,99&quantity-\(key)=1
                """.utf8)
            let type = "application/x-www-form-urlencoded"
            let refusal = try await withoutDatabase(anna).send(.post, target, type: type, body)
            #expect(refusal.status == .serviceUnavailable)
            #expect(refusal.headers[.retryAfter] == "5")
            #expect(refusal.text.contains("steht noch auf dieser Seite"))
            #expect(!refusal.text.contains("http-equiv=\"refresh\""))
            // The fields that the page's button sends.
            #expect(refusal.text.contains("<form method=\"post\" action=\"\(target)\">"))
            var sent: [(String, String)] = []
            for part in refusal.text.components(between: "<input type=\"hidden\" name=\"", and: "\">") {
                let pair = part.split(separator: "\" value=\"", maxSplits: 1, omittingEmptySubsequences: false)
                sent.append((String(pair[0]), String(pair[1]).replacing("&quot;", with: "\"")))
            }
            let secondBody = sent.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(
                separator: "&")
            let answer = try await anna.send(.post, target, type: type, Array(secondBody.utf8))
            #expect(answer.status == .seeOther)
            #expect(try scene.lines(receipt) == ["\"VOLL\"MILCH"])
            #expect(try scene.count("SELECT count(*) FROM receipt WHERE stage = 'confirmed'") == 1)
        }
    }

    @Test(arguments: [
        (PostgresError.Kind.commitUnknown, "uncertain"), (.unavailable, "unavailable"),
        (.connectionLost, "unavailable"),
        (.timedOut, "busy"), (.server, "internal"),
    ])
    func `the page says that nothing was saved only if this is certain`(kind: PostgresError.Kind, key: String) {
        #expect(Pipeline.refusal(for: PostgresError(kind, "")).key == key)
    }

    @Test(.database) func `the error page keeps no form of another origin and no password`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let offline = try withoutDatabase(anna)
            let type = "application/x-www-form-urlencoded"
            let foreign = try await offline.send(
                .post, "/settings/language", type: type, Array("csrf=x&language=SECRET".utf8),
                fields: ["Sec-Fetch-Site": "cross-site"])
            #expect(foreign.status.code >= 400 && !foreign.text.contains("SECRET"))
            let password = try await offline.send(
                .post, "/sign-in", type: type, Array("csrf=x&email=a%40b.at&password=SECRET".utf8))
            #expect(password.status == .serviceUnavailable)
            #expect(!password.text.contains("SECRET") && password.text.contains("Gehen Sie zurück"))
            let page = try await offline.get("/receipts")
            #expect(page.status == .serviceUnavailable && page.text.contains("http-equiv=\"refresh\""))
        }
    }
}

extension String {
    /// Returns each text between `start` and the next `end`.
    fileprivate func components(between start: String, and end: String) -> [Substring] {
        var found: [Substring] = []
        var rest = self[...]
        while let from = rest.firstRange(of: start) {
            rest = rest[from.upperBound...]
            guard let to = rest.firstRange(of: end) else { break }
            found.append(rest[..<to.lowerBound])
        }
        return found
    }
}
