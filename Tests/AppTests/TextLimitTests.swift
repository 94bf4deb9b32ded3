import Crypto
import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct TextLimitTests {
    /// One visible character that consists of seven code points.
    private static let family = "👨‍👩‍👧‍👦"

    @Test(arguments: [("Milch", 5), ("Mil", 3), ("", 0)])
    func `a short text is unchanged`(text: String, length: Int) {
        #expect(text.length == length && text.cut(to: 5) == text)
    }

    @Test func `a long text is cut between characters`() {
        let text = "a" + Self.family + "b"
        #expect(text.length == 9)
        #expect(text.cut(to: 8) == "a" + Self.family)
        #expect(text.cut(to: 7) == "a")
    }

    /// 30 characters that consist of 210 code points.
    private static let long = String(repeating: family, count: 30)

    @Test(.database) func `a name with too many code points is refused with an error at its field`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let receipt = try scene.receipt([("MILCH", 179)])
            let product = ProductID.new()
            try await harness.database.write(anna.household, by: anna.person) { changes in
                try await NewProducts.add([NewProduct(id: product, chain: "hofer", name: "Milch")], changes)
            }
            let key = try scene.keys(receipt)[0]
            let answers = [
                try await anna.post("/settings/household", ["household": Self.long]),
                try await anna.post("/settings/account", ["name": Self.long, "language": "de"]),
                try await anna.post("/products/\(product)", ["revision": "1", "name": Self.long, "category": ""]),
                try await anna.post("/compare/groups", ["name": Self.long, "unit": "kg"]),
                try await anna.post(
                    "/receipts/\(receipt)/review",
                    ["revision": "1", "store": Self.long, "day": "2026-11-02", "total": "1,79", "action": "save"]),
                try await anna.post(
                    "/receipts/\(receipt)/review",
                    [
                        "revision": "1", "store": "HOFER", "day": "2026-11-02", "total": "1,79", "action": "save",
                        "line": "\(key)", "name-\(key)": Self.long, "total-\(key)": "1,79",
                    ]),
            ]
            for answer in answers {
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("Das ist zu lang: Möglich sind höchstens"))
            }
            for answer in answers.prefix(4) { #expect(answer.text.contains("value=\"\(Self.long)\"")) }
            #expect(try scene.revision(receipt) == 1)
        }
    }

    @Test(.database) func `set-up also refuses a name that is too long, and accepts the longest allowed name`()
        async throws
    {
        try await AppHarness.run { harness in
            let link = "/setup/\(try await Invitations(database: harness.database).setUp().secret)"
            let browser = harness.browser()
            let page = try await browser.get(link)
            #expect(page.text.contains("name=\"household\"") && page.text.contains("maxlength=\"80\""))
            func send(_ name: String) async throws -> Answer {
                try await browser.post(
                    link,
                    [
                        "household": name, "name": name, "email": "anna@example.at",
                        "password": "vier Tassen Kaffee 7",
                    ], on: page)
            }
            let refusal = try await send(Self.long)
            #expect(refusal.status == .unprocessableContent && refusal.text.contains("Das ist zu lang"))
            #expect(try await send(String(repeating: Self.family, count: 11)).status == .seeOther)
        }
    }

    @Test(.database) func `the form fields have the same length limits as the server`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let page = try await anna.get("/settings/account").text
            #expect(page.contains("minlength=\"12\" maxlength=\"4096\""))
            #expect(try await anna.get("/compare/groups/new").text.contains("maxlength=\"80\""))
        }
    }
}
