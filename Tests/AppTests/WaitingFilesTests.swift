import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

/// Uploaded files that wait for a person's confirmation.
@Suite(.timeLimit(.minutes(5))) struct WaitingFilesTests {
    struct Upload: Sendable, CustomTestStringConvertible {
        let path: String
        let table: SQL
        let text: String
        let maximum: Int64

        var testDescription: String { path }
    }

    private static let uploads = [
        Upload(
            path: "/import", table: "import_file",
            text: "Name;Price;Category;Shop;Datum\nMilch;1,00;;SPAR;2026-10-01\n", maximum: ImportFiles.maximumWaiting),
        Upload(
            path: "/wine-import", table: "wine_table", text: WineCatalogueTests.table,
            maximum: WineTables.maximumWaiting),
        Upload(
            path: "/bank-files", table: "bank_import",
            text: """
                Buchungstag;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Betrag;Währung
                02.11.2026;02.11.2026;Netflix;Lastschrift;Abo;-12,99;EUR
                """,
            maximum: BankImports.maximumWaiting),
    ]

    /// Uploads the file with a separate browser, so that uploads can be simultaneous.
    private static func send(_ file: Upload, _ cookies: [String: String], _ harness: AppHarness) async throws -> Status
    {
        let browser = harness.browser()
        browser.cookies = cookies
        return try await browser.upload(
            file.path, field: "file", fileName: "a.csv", type: "text/csv", Array(file.text.utf8)
        ).status
    }

    @Test(.database, arguments: uploads)
    func `simultaneous uploads do not exceed the limit of waiting files`(file: Upload) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (owner, locking, cookies) = (try harness.owner(), try harness.owner(), anna.cookies)
            for _ in 0..<file.maximum { #expect(try await Self.send(file, cookies, harness) == .seeOther) }
            try locking.query("BEGIN")
            try locking.query("SELECT 1 FROM household WHERE id = \(anna.household) FOR UPDATE")
            async let first = Self.send(file, cookies, harness)
            async let second = Self.send(file, cookies, harness)
            try await owner.waitForBlockedStatement(count: 2)
            try locking.query("COMMIT")
            let statuses = [try await first, try await second]
            #expect(statuses == [.seeOther, .seeOther])
            #expect(try owner.query("SELECT count(*) FROM \(file.table)").first(Int64.self) == file.maximum)
        }
    }

    @Test(.database, arguments: uploads)
    func `a further file replaces the person's oldest file if too many are waiting`(file: Upload) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let ben = try await harness.join(anna, as: .member)
            func upload(_ browser: Browser) async throws -> String {
                let answer = try await browser.upload(
                    file.path, field: "file", fileName: "a.csv", type: "text/csv", Array(file.text.utf8))
                return try #require(answer.location, "\(answer.status) \(answer.text)")
            }
            let others = try await upload(ben)
            var previews: [String] = []
            for _ in 0...file.maximum { previews.append(try await upload(anna)) }
            let count = try harness.owner().query("SELECT count(*) FROM \(file.table)").first(Int64.self)
            #expect(count == file.maximum + 1)
            // The oldest file is no longer offered; the others can still be imported.
            #expect(try await anna.get(previews[0]).status == .seeOther)
            #expect(try await anna.get(previews[1]).status == .ok)
            #expect(try await ben.get(others).status == .ok)
        }
    }

    @Test(.database) func `a wine table that is being imported is not replaced`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let household = anna.household
            func upload() async throws -> String {
                let answer = try await anna.upload(
                    "/wine-import", field: "file", fileName: "a.csv", type: "text/csv",
                    Array(WineCatalogueTests.table.utf8))
                return try #require(answer.location, "\(answer.status) \(answer.text)")
            }
            let imported = try await upload()
            let id = try #require(imported.split(separator: "/").last.flatMap { WineTableID(String($0)) })
            let tables = WineTables(database: harness.database, slowWork: try SlowWork())
            #expect(try await tables.reserve(id, household))
            for _ in 0...WineTables.maximumWaiting { _ = try await upload() }
            #expect(try await anna.get(imported).status == .ok)
            // After a failed import, the table waits for confirmation again, and counts as the newest file.
            try await tables.release(id, household)
            for _ in 0..<WineTables.maximumWaiting { _ = try await upload() }
            #expect(try await anna.get(imported).status == .seeOther)
            #expect(try await !tables.reserve(id, household))
        }
    }

    @Test(.database) func `each batch of an import extends the time for which its table is not replaced`() async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let answer = try await anna.upload(
                "/wine-import", field: "file", fileName: "a.csv", type: "text/csv",
                Array(WineCatalogueTests.table.utf8))
            let id = try #require(answer.location?.split(separator: "/").last.flatMap { WineTableID(String($0)) })
            func isHeldForMinutes() throws -> Bool? {
                try owner.query(
                    """
                    SELECT created_at - now() BETWEEN interval '8 minutes' AND interval '10 minutes' FROM wine_table
                    """
                ).first(Bool.self)
            }
            let tables = WineTables(database: harness.database, slowWork: try SlowWork())
            #expect(try await tables.reserve(id, anna.household))
            // If the server is killed, the table stays reserved only for some minutes.
            #expect(try isHeldForMinutes() == true)
            try owner.query("UPDATE wine_table SET created_at = now() + interval '1 minute'")
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            let mapping = WineMapping(columns: [.producer: 0, .name: 1], currency: .eur)
            #expect(try await WineImport(tables: tables, mapping: mapping).run(id, by: member).wines > 0)
            #expect(try isHeldForMinutes() == true)
        }
    }

    @Test(.database)
    func `a wine table that is being imported counts towards the limit, and cannot be imported or discarded`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let (household, owner) = (anna.household, try harness.owner())
            func upload() async throws -> Answer {
                try await anna.upload(
                    "/wine-import", field: "file", fileName: "a.csv", type: "text/csv",
                    Array(WineCatalogueTests.table.utf8))
            }
            func waitingTables() throws -> [WineTableID] {
                try owner.query("SELECT id FROM wine_table WHERE created_at <= now()").decode(WineTableID.self)
            }
            let imported = try #require(try await upload().location)
            let tables = WineTables(database: harness.database, slowWork: try SlowWork())
            let id = try #require(try waitingTables().first)
            #expect(try await tables.reserve(id, household))
            #expect(try await !tables.reserve(id, household))
            for action in ["confirmation", "discard"] {
                #expect(try await anna.post("\(imported)/\(action)").location == "/wine-import")
                #expect(try await anna.get("/wine-import").text.contains("wird bereits importiert"), "\(action)")
            }
            #expect(try owner.query("SELECT count(*) FROM wine").first(Int64.self) == 0)
            for _ in 0...WineTables.maximumWaiting { #expect(try await upload().status == .seeOther) }
            #expect(try waitingTables().count == Int(WineTables.maximumWaiting) - 1)
            for id in try waitingTables() { #expect(try await tables.reserve(id, household)) }
            // All places are taken by tables that are being imported.
            #expect(try await upload().status == .serviceUnavailable)
            #expect(try await tables.discard(id, household, isImported: true))
            #expect(try await upload().status == .seeOther)
        }
    }
}
