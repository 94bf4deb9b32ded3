import Domain
import Postgres

/// Imports a stored table in transactions of some thousand wines, so that other members can write between them. A
/// repeated import updates the wines, which it finds by their keys.
struct WineImport: Sendable {
    let tables: WineTables
    let mapping: WineMapping

    /// The number of lines in one transaction.
    private static let batch = 5_000

    struct Result: Sendable {
        /// The number of added or updated wines.
        var wines = 0
        /// The number of lines whose wine is also on an earlier line: scores of other critics, or duplicate lines.
        var repeated = 0
        /// The number of skipped lines.
        var skipped = 0
    }

    /// - Throws: `WineTables.Failure`, `WineQuotaError`.
    func run(_ id: WineTableID, by member: Member) async throws -> Result {
        var result = Result()
        var waiting: [ImportedWine] = []
        /// Hashes of the wine keys read so far.
        var hashes: Set<Int> = []
        var next = try await tables.chunk(0, of: id, member.household)
        guard let first = next else { throw WineTables.Failure.empty }
        let mapping = mapping
        var parser = WineTableParser(first: first) { _ in mapping }
        var number: Int32 = 0
        while true {
            let (piece, before) = (next, parser)
            let (wines, after) = try await tables.slowWork.run {
                var parser = before
                return (try parser.add(piece), parser)
            }
            parser = after
            waiting += wines
            for wine in wines where !hashes.insert(wine.key.hashValue).inserted { result.repeated += 1 }
            while waiting.count >= Self.batch || piece == nil && !waiting.isEmpty {
                try await store(Array(waiting.prefix(Self.batch)), of: id, by: member)
                waiting.removeFirst(min(Self.batch, waiting.count))
            }
            guard piece != nil else { break }
            number += 1
            next = try await tables.chunk(number, of: id, member.household)
        }
        result.wines = hashes.count
        result.skipped = parser.skipped
        return result
    }

    private func store(_ wines: [ImportedWine], of id: WineTableID, by member: Member) async throws {
        let columns = try await tables.slowWork.run { WineImportColumns(wines) }
        try await tables.database.write(member.household, by: member.person) { changes in
            try await changes.query(columns.insertion(changes.household))
            if !columns.scoreKeys.isEmpty { try await changes.query(columns.scoreInsertion(changes.household)) }
            try await changes.query(
                WineEdits.shownScores(changes.household, "w.source_key = ANY(\(columns.keys))"))
            try await WinePlan.requireRoom(for: 0, changes)
            try await WineEdits.raiseVersion(changes)
            try await changes.query(WineTables.renewReservation(id, changes.household))
            try await changes.query(
                "UPDATE wine_catalogue SET revision = revision + 1 WHERE household_id = \(changes.household)")
            changes.changed(.wineCatalogue, changes.household)
        }
    }
}
