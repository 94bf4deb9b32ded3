import Domain
import HTTP
import JSON
import Postgres
import Templates
import TestSupport
import Testing

@testable import App

/// The values that merges of documents other than receipts did not keep.
@Suite(.timeLimit(.minutes(5))) struct LostValueTests {
    private static let path = "/lost-values"

    /// Stores a document, and then two versions of it that two members made at the same time. The first version wins.
    static func merge(
        _ type: DocumentType, _ body: JSONObject, _ one: JSONObject, _ two: JSONObject, _ first: SyncScene,
        _ second: SyncScene
    ) async throws -> DocumentKey {
        let key = SyncScene.key(type)
        try await first.edit(key) { $0 = body }
        let base = try #require(try await first.winner(key))
        let storedDocument = try #require(try await first.body(key))
        func version(_ changes: JSONObject) -> JSONObject {
            var result = storedDocument
            for member in changes { result[member.name] = member.value }
            return result
        }
        try await first.replicate(key, "\(base.generation + 1)-bbbb", after: [base], version(one))
        try await second.replicate(key, "\(base.generation + 1)-aaaa", after: [base], version(two))
        return key
    }

    private static func actions(_ page: Answer) -> [String] {
        page.text.matches(of: #/action="(\/lost-values\/[0-9a-f-]+)"/#).map { String($0.output.1) }
    }

    @Test(.database) func `a member chooses between two names of a product that were entered at the same time`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member, name: "Ben Maier")
            let (scene, other) = (SyncScene(harness, anna), SyncScene(harness, ben, role: .member))
            #expect(try await !anna.get("/settings").text.contains(Self.path))
            let key = try await Self.merge(
                .product, ["type": "product", "chain": "spar", "name": "Milch"], ["name": "Vollmilch"],
                ["name": "Heumilch"], scene, other)
            #expect(try await anna.get("/settings").text.contains("href=\"\(Self.path)\""))
            let page = try await anna.get(Self.path)
            #expect(page.text.contains("Produkt Vollmilch, Name: Vollmilch"))
            #expect(page.text.contains("Ben Maier") && page.text.contains("Heumilch"))
            let action = try #require(Self.actions(page).first)
            let shownRevision = try #require(page.attribute("value", after: "name=\"revision\""))
            let stale = try await anna.post(action, ["revision": "1"])
            #expect(stale.status == .conflict && stale.text.contains("Bitte entscheiden Sie noch einmal"))
            #expect(!stale.text.contains("Ihre Eingabe ist"))
            #expect(try await anna.post(action, ["revision": shownRevision]).location == Self.path)
            #expect(try await scene.body(key)?["name"] == "Heumilch")
            #expect(try await Self.actions(anna.get(Self.path)).isEmpty)
            #expect(try await anna.post(action, ["revision": shownRevision]).location == Self.path)
            #expect(try await !anna.get("/settings").text.contains(Self.path))
        }
    }

    /// Conditions that refuse the name "Heumilch" with an error of class 22 or 23.
    @Test(.database, arguments: ["1 / (length(name) - 8) <> 0", "name <> 'Heumilch'"])
    func `a value that PostgreSQL refuses is not accepted, and the page says so`(condition: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let key = try await Self.merge(
                .product, ["type": "product", "chain": "spar", "name": "Milch"], ["name": "Vollmilch"],
                ["name": "Heumilch"], scene, scene)
            try harness.owner().query(
                SQL(uncheckedText: "ALTER TABLE product ADD CONSTRAINT refusing CHECK (\(condition))"))
            let page = try await anna.get(Self.path)
            let action = try #require(Self.actions(page).first)
            let shown = try #require(page.attribute("value", after: "name=\"revision\""))
            let answer = try await anna.post(action, ["revision": shown])
            #expect(answer.status == .unprocessableContent, "\(answer.text)")
            #expect(try await scene.body(key)?["name"] == "Vollmilch")
            #expect(try await Self.actions(anna.get(Self.path)) == [action])
        }
    }

    @Test(.database, arguments: ["aaaa", "cccc"])
    func `a value is shown with the name of its author, whichever revision wins`(hash: String) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member, name: "Ben Maier")
            let (scene, other) = (SyncScene(harness, anna), SyncScene(harness, ben, role: .member))
            let key = SyncScene.key(.product)
            try await scene.edit(key) { $0 = ["type": "product", "chain": "spar", "name": "Milch"] }
            let base = try #require(try await scene.winner(key))
            var body = try #require(try await scene.body(key))
            body["name"] = "Vollmilch"
            try await scene.replicate(key, "\(base.generation + 1)-bbbb", after: [base], body)
            body["name"] = "Heumilch"
            try await other.replicate(key, "\(base.generation + 1)-\(hash)", after: [base], body)
            let page = try await anna.get(Self.path)
            let author = hash == "aaaa" ? "Ben Maier" : "Anna Berger"
            #expect(page.text.contains("\(author) ("), "\(page.text)")
        }
    }

    @Test(.database, arguments: [true, false])
    func `an amount and its currency are accepted and dismissed together`(isTaken: Bool) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let (scene, other) = (SyncScene(harness, anna), SyncScene(harness, ben, role: .member))
            let key = try await Self.merge(
                .expense,
                ["type": "expense", "what": "Kino", "amount_minor": 1_200, "currency": "EUR", "day": "2026-03-05"],
                ["amount_minor": 1_500], ["amount_minor": 2_000, "currency": "USD"], scene, other)
            let page = try await anna.get(Self.path)
            #expect(page.text.contains("Ausgabe Kino, Betrag: 15,00 €") && !page.text.contains("20,00 €"))
            let shownRevision = try #require(page.attribute("value", after: "name=\"revision\""))
            let action = try #require(Self.actions(page).first)
            let target = isTaken ? action : "\(action)/removal"
            #expect(try await anna.post(target, ["revision": shownRevision]).status == .seeOther)
            let body = try await scene.body(key)
            #expect(body?["amount_minor"] == (isTaken ? 2_000 : 1_500))
            #expect(body?["currency"] == (isTaken ? "USD" : "EUR"))
            #expect(try await Self.actions(anna.get(Self.path)).isEmpty)
        }
    }

    @Test(.database) func `values of a personal expense are shown to its person only`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            let scene = SyncScene(harness, anna)
            _ = try await Self.merge(
                .expense,
                [
                    "type": "expense", "what": "Geschenk", "amount_minor": 1_200, "currency": "EUR",
                    "day": "2026-03-05", "is_personal": true,
                ],
                ["note": "rot"], ["note": "blau"], scene, scene)
            let page = try await anna.get(Self.path)
            #expect(page.text.contains("Ausgabe Geschenk, Notiz: rot"))
            let action = try #require(Self.actions(page).first)
            #expect(try await !ben.get(Self.path).text.contains("Geschenk"))
            let shownRevision = try #require(page.attribute("value", after: "name=\"revision\""))
            #expect(try await ben.post(action, ["revision": shownRevision]).status == .notFound)
            #expect(try await ben.post("\(action)/removal").status == .notFound)
            #expect(try await Self.actions(anna.get(Self.path)) == [action])
        }
    }

    @Test(arguments: [Language.german, .english])
    func `each field that clients write has a label`(language: Language) throws {
        let words = try Words.load(language)
        for schema in DocumentSchema.all where schema.type != .receipt && schema.isWritable {
            var names = ["deleted"]
            for field in schema.fields where field.writer == .client {
                names.append(field.name)
                guard case .parts(_, let parts, _) = field.shape else { continue }
                names += parts.filter { $0.writer == .client }.map(\.name)
            }
            for name in names {
                let key = "server.lost.field.\(LostValueText.key(name))"
                #expect(!words[key].contains(key), "\(schema.type): \(name)")
            }
            let key = "server.lost.type.\(LostValueText.key(schema.type.rawValue))"
            #expect(!words[key].contains(key), "\(key)")
        }
    }
}
