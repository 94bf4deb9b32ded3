import Domain
import Foundation
import Postgres
import TestSupport
import Testing

@testable import App

/// The keys by which vintages of one wine are grouped.
@Suite(.timeLimit(.minutes(5))) struct WineFamilyTests {
    @Test(.database) func `the migration gives stored wines with a year in their name the current key`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            try await WineCatalogueTests.importTable(
                anna,
                """
                producer;name;vintage
                Gut Größl;Cuvée d’Œuvre 1922;2019
                Gut Größl;Cuvée d’Œuvre 1922, 2018;2018
                Gut Größl;Riesling;2019
                Вино;Год 1990;2001
                """)
            let owner = try harness.owner()
            func keys() throws -> [String] {
                try owner.query("SELECT family_key FROM wine ORDER BY name").decode(String.self)
            }
            let current = try keys()
            #expect(current.contains("gut grossl cuvee d oeuvre 1922"))
            // Keys that were stored before the migration have no years.
            try owner.query(
                "UPDATE wine SET family_key = btrim(regexp_replace(family_key, '(19|20)[0-9][0-9]', '', 'g'))")
            #expect(try keys() != current)
            let path = TestSources.root + "/Migrations/0064_family_keys.sql"
            try owner.run(script: try String(contentsOfFile: path, encoding: .utf8))
            #expect(try keys() == current)
            // A second run does not change keys that already have the year.
            try owner.run(script: try String(contentsOfFile: path, encoding: .utf8))
            #expect(try keys() == current)
        }
    }
}
