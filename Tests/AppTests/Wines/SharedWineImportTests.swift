import Domain
import EventLoop
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct SharedWineImportTests {
    @Test(.database, arguments: [1, 2, 3, 4, 8])
    func `a wine has the scores of all its lines, whatever the size of the batches`(
        batch: Int
    ) async throws {
        let lines = [
            "name;critic;points", "Eins;AB;90", "Eins;CD;91", "Zwei;AB;92", "Drei;AB;93", "Drei;CD;94", "Drei;EF;95",
            "Drei;GH;96",
        ]
        let testDatabase = try TestDatabase.current
        let settings = testDatabase.ownerSettings
        let wines = try await onLoop { loop in
            let pool = Pool(loop: loop, settings: settings)
            defer { pool.close() }
            var pieces = lines.map { Array("\($0)\n".utf8) }[...]
            return try await SharedWineImport(pool: pool, batch: batch).run { headings in
                WineMapping(columns: WineColumn.recognised(headings), currency: .eur)
            } piece: {
                pieces.popFirst()
            }.wines
        }
        #expect(wines == 3)
        let scores = try testDatabase.owner().query(
            "SELECT jsonb_array_length(scores)::bigint FROM shared_wine ORDER BY name"
        ).decode(Int64.self)
        #expect(scores == [4, 2, 1])
    }

    @Test(.database) func `shows the preferred critic's score for an operator's wine and for the household's copy`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let mapping = WineMapping(columns: [.name: 0, .points: 1, .critic: 2], currency: .eur)
            let lines = [["Steinfeld", "91", "AB"], ["Steinfeld", "95", "CD"], ["Bergfeld", "88", "CD"]]
            try owner.query(WineImportColumns(try lines.map { try ImportedWine($0, mapping) }).sharedInsertion)
            try owner.query("UPDATE shared_wine_catalogue SET version = version + 1")
            #expect(try await anna.get("/wines?shared=1").text.contains("</span>95<span"))
            #expect(try await anna.get("/settings/wines").text.contains("<option value=\"AB\""))
            #expect(try await anna.post("/settings/wines", ["critic": "AB"]).location == "/settings/wines")
            let list = try await anna.get("/wines?shared=1")
            #expect(list.text.contains("</span>91<span") && !list.text.contains("</span>95<span"))
            // The other wine has no score of this critic.
            #expect(list.text.contains("</span>88<span"))
            let offline = try await anna.get("/offline/data").text
            #expect(offline.contains("\"Steinfeld\",\"\",91"), "\(offline.suffix(400))")
            let wine = try WineCatalogueTests.href(of: "Steinfeld", list)
            #expect(try await anna.post("\(wine)/mark", ["saved": "1"]).location == wine)
            let ownPage = try await anna.get("/wines").text
            #expect(ownPage.contains("</span>91<span") && !ownPage.contains("</span>95<span"))
        }
    }

    @Test(.database) func `the operator's wines are sorted, filtered and grouped by the shown score`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let mapping = WineMapping(columns: [.name: 0, .vintage: 1, .points: 2, .critic: 3], currency: .eur)
            let lines = [
                ["Steinfeld", "2019", "91", "AB"], ["Steinfeld", "2019", "98", "CD"],
                ["Steinfeld", "2018", "94", "AB"], ["Steinfeld", "2018", "92", "CD"],
                ["Bergfeld", "2020", "90", "AB"], ["Bergfeld", "2020", "99", "CD"], ["Talfeld", "2021", "93", "CD"],
            ]
            try owner.query(WineImportColumns(try lines.map { try ImportedWine($0, mapping) }).sharedInsertion)
            try owner.query("UPDATE shared_wine_catalogue SET version = version + 1")
            func listedWines(_ query: String = "") async throws -> [String] {
                let page = try await anna.get("/wines?shared=1\(query)").text
                return page.matches(of: #/(Steinfeld|Bergfeld|Talfeld) 20\d\d/#).map { String($0.output.0) }
            }
            #expect(try await listedWines() == ["Bergfeld 2020", "Steinfeld 2019", "Talfeld 2021"])
            #expect(try await anna.post("/settings/wines", ["critic": "AB"]).location == "/settings/wines")
            #expect(try await listedWines() == ["Steinfeld 2018", "Talfeld 2021", "Bergfeld 2020"])
            #expect(try await listedWines("&points=92") == ["Steinfeld 2018", "Talfeld 2021"])
            #expect(try await listedWines("&points=94") == ["Steinfeld 2018"])
            let best = try WineCatalogueTests.href(of: "Steinfeld", try await anna.get("/wines?shared=1"))
            let page = try await anna.get(best).text
            #expect(page.contains("</span>91<span") && !page.contains("</span>98<span"))
        }
    }

    @Test(.database) func `vintages of the operator's wines are grouped`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let owner = try harness.owner()
            let mapping = WineMapping(columns: [.producer: 0, .name: 1, .vintage: 2, .points: 3], currency: .eur)
            let columns = WineImportColumns(
                try [("Lutzmannsburg", "2019", "91"), ("Lutzmannsburg", "2017", "94"), ("Neckenmarkt", "2018", "90")]
                    .map { try ImportedWine(["Moric", $0.0, $0.1, $0.2], mapping) })
            try owner.query(columns.sharedInsertion)
            try owner.query("UPDATE shared_wine_catalogue SET version = version + 1")
            for target in ["/wines?shared=1", "/wines?shared=1&points=90", "/wines?search=Moric%20Lutzmannsburg"] {
                let page = try await anna.get(target).text
                #expect(page.ranges(of: "Moric Lutzmannsburg 20").count == 1, "\(target)")
                #expect(page.contains("Jahrgänge: 2019, 2017"), "\(target)")
            }
            // The vintage with the highest score is listed, and its page shows the others.
            let list = try await anna.get("/wines?shared=1")
            #expect(list.text.contains("Moric Lutzmannsburg 2017") && list.text.contains("Moric Neckenmarkt 2018"))
            let best = try WineCatalogueTests.href(of: "Lutzmannsburg", list)
            #expect(try await anna.get(best).text.contains("<span class=\"title\">2019</span>"))
            // The page of the household's copy also shows the other vintages in the operator's catalogue.
            #expect(try await anna.post("\(best)/mark", ["saved": "1"]).location == best)
            #expect(try await anna.get(best).text.contains("<span class=\"title\">2019</span>"))
            // After the copy is deleted, the list shows the next vintage.
            #expect(try await anna.post("\(best)/removal").location == "/wines")
            let sharedPage = try await anna.get("/wines?shared=1").text
            #expect(sharedPage.contains("Moric Lutzmannsburg 2019") && !sharedPage.contains("Jahrgänge: 2019, 2017"))
        }
    }

    @Test(.database) func `the command reports a file that cannot be read`() throws {
        // A folder can be opened, but not read.
        let (status, output) = try KilledBackupTests.run(["wines", "import", "/tmp"])
        #expect(status == 1)
        #expect(output.contains("read /tmp"), "\(output)")
    }
}
