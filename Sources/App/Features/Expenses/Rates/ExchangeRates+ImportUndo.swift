import Domain
import Postgres

extension ExchangeRates {
    /// Undoes an import: deletes the rates that it added, and restores those that it replaced. Keeps rates that were
    /// changed since.
    ///
    /// - Returns: false if there is nothing to undo.
    func undoImport(_ file: OperationID, by member: Member) async throws -> Bool {
        try await database.write(member.household, by: member.person) { changes in
            let isUnchanged: SQL = """
                household_id = \(changes.household) AND import_id = \(file) AND source = \(Source.ecb.rawValue)
                """
            let rows = try await changes.query(batch: [
                """
                DELETE FROM exchange_rate WHERE \(isUnchanged) AND replaced_millionths IS NULL
                RETURNING id, day, revision
                """,
                """
                UPDATE exchange_rate SET per_euro_millionths = replaced_millionths, replaced_millionths = NULL,
                    import_id = NULL, revision = revision + 1
                WHERE \(isUnchanged) AND replaced_millionths IS NOT NULL RETURNING id, day
                """,
            ])
            let deleted = try rows[0].decode((ExchangeRateID, LocalDate, Int64).self)
            let restored = try rows[1].decode((ExchangeRateID, LocalDate).self)
            guard !deleted.isEmpty || !restored.isEmpty else { return false }
            let documents = Set(
                try await PublishedRates.documents(among: deleted.map(\.0) + restored.map(\.0), changes))
            for (id, _, revision) in deleted where documents.contains(id) {
                changes.deleted(.exchangeRate, id, lastRevision: revision)
            }
            changes.changed(.exchangeRate, restored.map(\.0).filter(documents.contains))
            try await Self.recompute(deleted.map(\.1) + restored.map(\.1), changes)
            return true
        }
    }
}
