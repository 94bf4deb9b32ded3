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

    @Test(.database) func `the command reports a file that cannot be read to its end`() throws {
        // A folder can be opened, but not read.
        let (status, output) = try KilledBackupTests.run(["wines", "import", "/tmp"])
        #expect(status == 1)
        #expect(output.contains("read /tmp"), "\(output)")
    }
}
