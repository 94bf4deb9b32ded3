import Domain
import Postgres

@testable import App

extension TenantSeed {
    /// Inserts two wines, each with a score, bottles and a mark; a saved list; and a table that waits to be imported.
    mutating func wines() throws {
        for index in 0..<2 {
            let wine = WineID.new()
            try connection.query(
                """
                INSERT INTO wine (household_id, id, producer, name, family_key, points)
                VALUES (\(household), \(wine), \("\(mark)gut"), \("\(mark)wein \(index)"), \("\(mark.lowercased()) \(index)"), 90)
                """)
            record(wine, as: "wine")
            try connection.query(
                """
                INSERT INTO wine_score (household_id, wine_id, critic, points, note)
                VALUES (\(household), \(wine), \("\(mark)kritik"), 90, \("\(mark)notiz"))
                """)
            let bottle = WineBottleID.new()
            try connection.query(
                """
                INSERT INTO wine_bottle (household_id, id, wine_id, count, place)
                VALUES (\(household), \(bottle), \(wine), 3, \("\(mark)regal"))
                """)
            record(bottle, as: "bottle")
            try connection.query(
                """
                INSERT INTO wine_mark (household_id, wine_id, person_id, is_saved, note)
                VALUES (\(household), \(wine), \(person), true, \("\(mark)notiz"))
                """)
        }
        try connection.query(
            """
            INSERT INTO wine_catalogue (household_id) VALUES (\(household))
            ON CONFLICT (household_id) DO UPDATE SET version = wine_catalogue.version + 1
            """)
        let scan = WineScanID.new()
        let entry = """
            {"pages": [[100, 100]], "entries": [{"text": "\(mark)wein 0", "name": "\(mark)wein 0", "page": 0,
                "box": [1, 1, 9, 9], "textBox": [1, 1, 9, 9], "prices": [], "sure": [0, 0, 0, 0, 0, 0, 0, 0]}]}
            """
        try connection.query(
            """
            INSERT INTO wine_scan (household_id, id, person_id, place, day, entries)
            VALUES (\(household), \(scan), \(person), \("\(mark)wirt"), '2026-03-05', \(PostgresJSON(entry)))
            """)
        record(scan, as: "scan")
        let table = WineTableID.new()
        try connection.query(
            """
            INSERT INTO wine_table (household_id, id, person_id, name)
            VALUES (\(household), \(table), \(person), \("\(mark).csv"))
            """)
        try connection.query(
            """
            INSERT INTO wine_table_chunk (household_id, table_id, n, bytes)
            VALUES (\(household), \(table), 0, \(Array("producer;name;points\n\(mark)gut;\(mark)tabelle;91\n".utf8)))
            """)
        record(table, as: "table")
    }
}
