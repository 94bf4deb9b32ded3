import Domain
import Foundation
import HTTP
import JSON
import Postgres
import TestSupport
import Testing

@testable import App

/// Exchange rates and bank files in sync.
@Suite(.timeLimit(.minutes(5))) struct SyncRatesTests {
    private static func rate(_ millionths: Int64, _ currency: String = "USD", day: String = "2026-03-04") -> JSONObject
    {
        [
            "type": "exchange_rate", "currency": .string(currency), "day": .string(day),
            "per_euro_millionths": .integer(millionths),
        ]
    }

    @Test(.database) func `a rate can be pushed, converts expenses, and can be changed and deleted`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let scene = SyncScene(harness, anna)
            let creationAnswer = try await caller.post(
                "/api/v1/expenses",
                #"{"what": "Museum", "amount_minor": 2000, "currency": "USD", "day": "2026-03-05"}"#)
            let expense = try #require(creationAnswer.location)
            func homeAmount() async throws -> Int64? { try await caller.get(expense).json["home_minor"]?.integer }
            let key = SyncScene.key(.exchangeRate)
            try await scene.edit(key) { $0 = Self.rate(1_000_000) }
            #expect(try await homeAmount() == 2000)
            #expect(try await scene.body(key)?["source"] == "manual")
            try await scene.edit(key) { $0["per_euro_millionths"] = 1_250_000 }
            #expect(try await homeAmount() == 1600)
            let ben = try await CouchClient(harness, try await harness.join(anna, as: .member))
            #expect(try await ben.get("/\(key)").json["per_euro_millionths"] == 1_250_000)
            // A rate that was set in the browser or by the API is the same document.
            let currentAnswer = try await caller.get("/api/v1/exchange-rates/USD/2026-03-04")
            #expect(try currentAnswer.json["id"]?.string == key.id.description)
            let changeAnswer = try await caller.change(
                .put, "/api/v1/exchange-rates/USD/2026-03-04", #"{"per_euro_millionths": 2000000}"#, "*")
            #expect(changeAnswer.status == .ok)
            #expect(try await scene.body(key)?["per_euro_millionths"] == 2_000_000)
            // The currency and the day of a rate cannot be changed.
            try await scene.edit(key) { $0["day"] = "2026-03-02" }
            #expect(try await scene.body(key)?["day"] == "2026-03-04")
            try await scene.delete(key)
            #expect(try await homeAmount() == nil)
            #expect(try await caller.get("/api/v1/exchange-rates/USD/2026-03-04").status == .notFound)
        }
    }

    @Test(
        .database,
        arguments: [
            rate(1, "EUR"), rate(1, "usd"), rate(0), rate(1, day: "2999-01-01"), rate(1, day: "1800-01-01"),
            rate(1, "CHF"), ["type": "exchange_rate", "currency": "USD", "day": "2026-03-04"],
        ]) func `a rate that violates a rule is refused with a reason`(_ body: JSONObject) async throws
    {
        try await AppHarness.run { harness in
            let scene = SyncScene(harness, try await harness.signUp())
            try await scene.edit(SyncScene.key(.exchangeRate)) { $0 = Self.rate(950_000, "CHF") }
            let key = SyncScene.key(.exchangeRate)
            await #expect(throws: DocumentFault.self) { try await scene.edit(key) { $0 = body } }
            #expect(try await scene.body(key) == nil)
        }
    }

    @Test(.database) func `imported rates are documents, and native clients read and write them as rows`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let rates = ExchangeRates(database: harness.database)
            let day = WallClock.today()
            let caller = try await harness.caller(anna)
            for currency in ["USD", "CHF"] { try await Self.add(currency, day, caller) }
            let usd = EuroRate(currency: try #require(CurrencyCode("USD")), day: day, perEuroMillionths: 1_100_000)
            let chf = EuroRate(currency: try #require(CurrencyCode("CHF")), day: day, perEuroMillionths: 950_000)
            #expect(try await rates.store([usd, chf], .ecb, by: scene.member) == 2)
            let path = "/api/v1/households/\(anna.household)/sync"
            let pulled = try await caller.get(path).json
            let rows = pulled["changes"]?["exchange_rates"]?["created"]?.array ?? []
            #expect(rows.count == 2 && rows.allSatisfy { $0["source"] == "ecb" })
            let row = try #require(rows.first { $0["currency"] == "USD" }?["id"]?.string)
            let other = try #require(rows.first { $0["currency"] == "CHF" }?["id"]?.string)
            let number = try #require(pulled["timestamp"]?.integer)
            let pushed = try await caller.post(
                "\(path)?last_pulled_at=\(number)",
                """
                {"exchange_rates": {"created": [], "updated": [{"id": "\(row)", "currency": "USD", "day": "\(day.iso)",
                    "per_euro_millionths": 1200000}], "deleted": ["\(other)"]}}
                """)
            #expect(pushed.status == .ok && !pushed.text.contains(row), "\(pushed.text)")
            let listed = try await caller.get("/api/v1/exchange-rates").json["exchange_rates"]?.array ?? []
            #expect(listed.map { $0["per_euro_millionths"] } == [1_200_000])
            #expect(listed.first?["source"] == "manual")
            // An import keeps a rate that a person has set, so the document does not change.
            let winner = try await scene.winner(DocumentKey(.exchangeRate, try #require(Identifier(row))))
            #expect(try await rates.store([usd], .ecb, by: scene.member) == 0)
            #expect(try await scene.winner(DocumentKey(.exchangeRate, try #require(Identifier(row)))) == winner)
        }
    }

    /// Adds an expense through the API.
    private static func add(
        _ currency: String, _ day: LocalDate, isPersonal: Bool = false, _ caller: Caller
    ) async throws {
        let made = try await caller.post(
            "/api/v1/expenses",
            """
            {"what": "Museum", "amount_minor": 2000, "currency": "\(currency)", "day": "\(day.iso)",
                "is_personal": \(isPersonal)}
            """)
        #expect(made.status == .created, "\(made.text)")
    }

    @Test(.database) func `an imported rate is a document only if it converts an expense that all members see`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = SyncScene(harness, anna)
            let (caller, couch) = (try await harness.caller(anna), try await CouchClient(harness, anna))
            let rates = ExchangeRates(database: harness.database)
            func day(_ daysAgo: Int) -> LocalDate { WallClock.today().adding(days: -daysAgo) }
            func euro(_ code: String, _ daysAgo: Int, _ millionths: Int64 = 1_100_000) throws -> EuroRate {
                EuroRate(
                    currency: try #require(CurrencyCode(code)), day: day(daysAgo), perEuroMillionths: millionths)
            }
            func publishedRates() async throws -> [String] {
                let rows = try await couch.get("/_changes?include_docs=true").json["results"]?.array ?? []
                let documents = rows.compactMap { $0["doc"] }.filter { $0["type"] == "exchange_rate" }
                return documents.map { document -> String in
                    let (code, day) = (document["currency"]?.string ?? "", document["day"]?.string ?? "")
                    return "\(code) \(day) \(document["per_euro_millionths"]?.integer ?? 0)"
                }.sorted()
            }
            try await Self.add("USD", day(3), caller)
            var imported: [EuroRate] = []
            for code in ["USD", "CHF", "GBP"] { for ago in 1...20 { imported.append(try euro(code, ago)) } }
            #expect(try await rates.store(imported, .ecb, by: scene.member) == 60)
            let usd = "USD \(day(3).iso) 1100000"
            #expect(try await publishedRates() == [usd])
            // A later expense is converted by a rate of an earlier day.
            try await Self.add("CHF", day(0), caller)
            let chf = "CHF \(day(1).iso) 1100000"
            #expect(try await publishedRates() == [chf, usd])
            try await Self.add("GBP", day(5), isPersonal: true, caller)
            #expect(try await publishedRates() == [chf, usd])
            let corrected = [try euro("USD", 3, 1_200_000), try euro("GBP", 5, 1_200_000)]
            #expect(try await rates.store(corrected, .ecb, by: scene.member) == 2)
            #expect(try await publishedRates() == [chf, "USD \(day(3).iso) 1200000"])
            // A client can set a rate that it does not receive.
            try await scene.edit(SyncScene.key(.exchangeRate)) { $0 = Self.rate(900_000, "GBP", day: day(5).iso) }
            #expect(try await publishedRates().contains("GBP \(day(5).iso) 900000"))
            let storedRates = try await caller.get("/api/v1/exchange-rates?currency=GBP").json["exchange_rates"]?.array
            #expect(storedRates?.count == 20)
        }
    }

    @Test(.database) func `an imported bank file is sent only to its uploader, and clients cannot change it`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let (mine, theirs) = (
                try await CouchClient(harness, anna),
                try await CouchClient(harness, try await harness.join(anna, as: .member))
            )
            let table = "Datum;Name;Betrag\n05.03.2026;OMV;-62,10\n06.03.2026;Arbeitgeber;2000,00\n"
            let answer = try await caller.send(
                .post, "/api/v1/bank-files?name=bank.csv", type: "text/csv", Array(table.utf8))
            let path = try #require(answer.location, "\(answer.text)")
            let key = "bank_file:\(path.split(separator: "/").last ?? "")"
            // A waiting file is not a document.
            #expect(try await mine.get("/\(key)").status == .notFound)
            #expect(try await caller.post("\(path)/confirmation", "{}", ["If-Match": "*"]).status == .ok)
            let document = try await mine.get("/\(key)").json
            #expect(document["name"] == "bank.csv" && document["format"] == "csv")
            #expect(document["person"]?.string == "person:\(anna.person)")
            let bookings = document["bookings"]?.array ?? []
            #expect(bookings.map { $0["amount_minor"] } == [-6210, 200_000])
            let expense = try #require(bookings.first?["expense"]?.string)
            #expect(try await mine.get("/\(expense)").json["payee"] == "OMV")
            #expect(try await theirs.get("/\(key)").status == .notFound)
            for list in ["/_changes?include_docs=true&style=all_docs", "/_all_docs?include_docs=true"] {
                #expect(try await !theirs.get(list).text.contains(key), "\(list)")
                #expect(try await mine.get(list).text.contains(key), "\(list)")
            }
            let revision = try #require(document["_rev"]?.string)
            let refusals = try await mine.push([CouchClient.revision(key, ["9-b", revision], document)])
            #expect(refusals.first?["error"] == "forbidden")

            let rows = "/api/v1/households/\(anna.household)/sync"
            let pulled = try await caller.get(rows).json
            let lines = pulled["changes"]?["bank_bookings"]?["created"]?.array ?? []
            #expect(
                lines.map { $0["bank_file_id"]?.string }
                    == Array(repeating: key.split(separator: ":").last.map(String.init), count: 2))
            #expect(try await !theirs.caller.get(rows).text.contains("Arbeitgeber,"))
            let number = try #require(pulled["timestamp"]?.integer)
            let line = try #require(lines.first?["id"]?.string)
            let pushAnswer = try await caller.post(
                "\(rows)?last_pulled_at=\(number)",
                #"{"bank_bookings": {"created": [], "updated": [], "deleted": ["\#(line)"]}}"#)
            #expect(pushAnswer.text.contains("bank_files"), "\(pushAnswer.text)")
            #expect(try await caller.get(path).json["bookings"]?.array?.count == 2)

            #expect(try await caller.send(.delete, path, fields: ["If-Match": "*"]).status == .noContent)
            #expect(try await mine.changes()[key]?["deleted"] == true)
            #expect(try await theirs.changes()[key] == nil)
        }
    }

    @Test(.database) func `the migration publishes existing rates and bank files`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let caller = try await harness.caller(anna)
            let mine = try await CouchClient(harness, anna)
            let theirs = try await CouchClient(harness, try await harness.join(anna, as: .member))
            let rate = try await caller.send(
                .put, "/api/v1/exchange-rates/USD/2026-03-04", type: "application/json",
                Array(#"{"per_euro_millionths": 1250000}"#.utf8))
            let answer = try await caller.send(
                .post, "/api/v1/bank-files?name=bank.csv", type: "text/csv",
                Array("Datum;Name;Betrag\n05.03.2026;OMV;-62,10\n".utf8))
            let path = try #require(answer.location, "\(answer.text)")
            #expect(try await caller.post("\(path)/confirmation", "{}", ["If-Match": "*"]).status == .ok)
            let keys = [
                "exchange_rate:\(try rate.json["id"]?.string ?? "")",
                "bank_file:\(path.split(separator: "/").last ?? "")",
            ]
            var before: [JSONObject] = []
            for key in keys { before.append(try await Self.body(mine, key)) }
            let owner = try harness.owner()
            for table in ["change_log", "document_revision", "sync_document"] {
                try owner.query(
                    SQL(
                        uncheckedText:
                            "DELETE FROM \(table) WHERE document_type IN ('exchange_rate', 'bank_file')"))
            }
            #expect(try await mine.get("/\(keys[0])").status == .notFound)
            let since = try await mine.get("/").json["update_seq"]?.integer ?? 0
            let migration = try String(
                contentsOfFile: TestSources.root + "/Migrations/0053_documents_of_rates.sql", encoding: .utf8)
            try owner.query("BEGIN")
            for statement in migration.split(separator: ";\n") {
                try owner.query(SQL(uncheckedText: String(statement)))
            }
            try owner.query("COMMIT")
            for (key, body) in zip(keys, before) { #expect(try await Self.body(mine, key) == body) }
            #expect(try await mine.changes("&since=\(since)").keys.sorted() == keys.sorted())
            #expect(try await theirs.changes("&since=\(since)").keys.sorted() == [keys[0]])
        }
    }

    /// Returns a document, with null as its revision.
    private static func body(_ couch: CouchClient, _ key: String) async throws -> JSONObject {
        var object = try #require(try await couch.get("/\(key)").json.object)
        object["_rev"] = JSONValue.null
        return object
    }
}
