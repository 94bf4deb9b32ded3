import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// A form that is sent after the session has ended is kept during sign-in. Only the same person can send it again.
@Suite(.timeLimit(.minutes(5))) struct KeptFormTests {
    /// The review form of a receipt, sent after the session had ended.
    private struct ExpiredForm {
        let anna: Browser
        let login: String
        let receipt: ReceiptID
        let scene: ReceiptScene
        let answer: Answer
    }

    private static let specialCharacters = "Brot & Käse \"<script>alert(1)</script>\" = 100 %+\r\nzwei"

    private static func expiredForm(_ harness: AppHarness, store: String = "HOFER") async throws -> ExpiredForm {
        let anna = try await harness.signUp()
        let login = try await SignInScene.login(anna, harness)
        let scene = try harness.scene(anna)
        let receipt = try scene.receipt([])
        let page = try await anna.get("/receipts/\(receipt)/review")
        anna.cookies["__Host-session"] = nil
        let answer = try await anna.post(
            "/receipts/\(receipt)/confirmation",
            [
                "revision": "\(try scene.revision(receipt))", "store": store, "day": "2026-11-02", "total": "1,50",
                "line": "new1", "name-new1": "MILCH", "quantity-new1": "1", "unit-new1": "piece", "kind-new1": "item",
                "total-new1": "1,50",
            ], on: page)
        return ExpiredForm(anna: anna, login: login, receipt: receipt, scene: scene, answer: answer)
    }

    /// The hidden fields of a page, as a browser would send them.
    private static func hiddenFields(_ page: Answer) -> [(String, String)] {
        page.text.matches(of: #/type="hidden" name="([^"]*)" value="([^"]*)"/#).map {
            (unescaped(String($0.output.1)), unescaped(String($0.output.2)))
        }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#34;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    private static func send(_ browser: Browser, _ target: String, _ fields: [(String, String)]) async throws -> Answer
    {
        let body = fields.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
        return try await browser.send(.post, target, type: "application/x-www-form-urlencoded", Array(body.utf8))
    }

    private static func signIn(_ browser: Browser, _ page: Answer, _ login: String, _ password: String) async throws
        -> Answer
    {
        try await send(browser, "/sign-in", hiddenFields(page) + [("email", login), ("password", password)])
    }

    @Test(.database) func `a form of an expired session can be sent again after signing in`() async throws {
        try await AppHarness.run { harness in
            let form = try await Self.expiredForm(harness)
            #expect(form.answer.status == .unauthorized)
            #expect(form.answer.headers["Cache-Control"] == "no-store")
            #expect(form.answer.text.contains("ist noch da"))
            // The form is kept after a wrong password.
            let refusal = try await Self.signIn(form.anna, form.answer, form.login, "falsch geraten 12")
            #expect(refusal.status == .unprocessableContent)
            let secondAnswer = try await Self.signIn(form.anna, refusal, form.login, SignInScene.password)
            #expect(secondAnswer.status == .ok)
            #expect(secondAnswer.headers["Cache-Control"] == "no-store")
            #expect(secondAnswer.text.contains("action=\"/receipts/\(form.receipt)/confirmation\""))
            #expect(secondAnswer.text.contains("Anna Berger, Haus"))
            // The receipt does not change until the person sends the kept form.
            #expect(try form.scene.text("SELECT stage FROM receipt") == "review")
            let answer = try await Self.send(
                form.anna, "/receipts/\(form.receipt)/confirmation", Self.hiddenFields(secondAnswer))
            #expect(answer.status == .seeOther)
            #expect(try form.scene.text("SELECT stage FROM receipt") == "confirmed")
            #expect(try form.scene.lines(form.receipt) == ["MILCH"])
        }
    }

    @Test(.database) func `kept input is shown unchanged and escaped`() async throws {
        try await AppHarness.run { harness in
            let form = try await Self.expiredForm(harness, store: Self.specialCharacters)
            let secondAnswer = try await Self.signIn(form.anna, form.answer, form.login, SignInScene.password)
            #expect(!form.answer.text.contains("<script>alert"))
            #expect(!secondAnswer.text.contains("<script>alert"))
            #expect(Self.hiddenFields(secondAnswer).contains { $0.0 == "store" && $0.1 == Self.specialCharacters })
            #expect(Self.hiddenFields(secondAnswer).count { $0.0 == "csrf" } == 1)
        }
    }

    @Test(.database) func `a member of another household cannot send the kept form`() async throws {
        try await AppHarness.run { harness in
            let form = try await Self.expiredForm(harness)
            let stranger = try await harness.signUp("Eva Fremd", household: "Nebenan")
            let login = try await SignInScene.login(stranger, harness)
            let secondAnswer = try await Self.signIn(form.anna, form.answer, login, SignInScene.password)
            #expect(secondAnswer.text.contains("Eva Fremd, Nebenan"))
            let answer = try await Self.send(
                form.anna, "/receipts/\(form.receipt)/confirmation", Self.hiddenFields(secondAnswer))
            #expect(answer.status == .notFound)
            #expect(try form.scene.text("SELECT stage FROM receipt") == "review")
        }
    }

    @Test(.database) func `a form is kept even if the browser has signed in again in the meantime`() async throws {
        try await AppHarness.run { harness in
            let form = try await Self.expiredForm(harness)
            #expect(
                try await SignInScene.signIn(form.anna, form.login, SignInScene.password).status == .seeOther)
            let secondAnswer = try await Self.signIn(form.anna, form.answer, form.login, SignInScene.password)
            #expect(secondAnswer.status == .ok)
            #expect(secondAnswer.text.contains("MILCH"))
        }
    }

    @Test(
        .database,
        arguments: [
            ("cross-site", Status.forbidden), ("same-site", .forbidden), ("none", .unauthorized),
            ("same-origin", .unauthorized),
        ])
    func `only forms of this server's pages are kept`(site: String, status: Status) async throws {
        try await AppHarness.run { harness in
            let visitor = harness.browser()
            let answer = try await visitor.send(
                .post, "/products", type: "application/x-www-form-urlencoded", Array("name=UNTERGESCHOBEN".utf8),
                fields: ["Sec-Fetch-Site": site])
            let isKept = answer.text.contains("UNTERGESCHOBEN")
            #expect(isKept == (site == "same-origin" && answer.status == .unauthorized))
            if answer.status != .notFound, answer.status != .methodNotAllowed { #expect(answer.status == status) }
        }
    }

    @Test(
        .database,
        arguments: [
            ("/settings/password", "current=altes+Passwort+1&password=neues+Passwort+2"),
            ("/settings/archives", "passphrase=kein+Passwort+sondern+ein+Satz"),
            ("/receipts/\(ReceiptID.new())/review", "note=" + String(repeating: "x", count: KeptForm.maximumBytes)),
            ("/receipts/\(ReceiptID.new())/review", String(repeating: "a=&", count: KeptForm.maximumFields + 1)),
            ("/receipts/\(ReceiptID.new())/review", "store=%ZZ"),
        ])
    func `forms with passwords and large forms are not kept, and the page says so`(path: String, body: String)
        async throws
    {
        try await AppHarness.run { harness in
            let answer = try await harness.browser().send(
                .post, path, type: "application/x-www-form-urlencoded", Array(body.utf8))
            #expect(answer.status == .unauthorized)
            #expect(answer.text.contains("wurde nicht gespeichert"))
            #expect(!answer.text.contains("name=\"kept\""))
            #expect(!answer.text.contains("Passwort"))
        }
    }
}
