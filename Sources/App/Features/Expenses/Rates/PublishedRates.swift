import Domain
import Postgres

/// The exchange rates that sync clients receive: rates that a person or a program has set, and imported rates that
/// convert an expense or a receipt which all members see.
///
/// A file of the European Central Bank has about 30 rates for each day. Most of them convert no expense, so they are
/// not sync documents.
enum PublishedRates {
    private static let documentType = DocumentType.exchangeRate.rawValue

    /// Returns those of the rates that are already sync documents.
    static func documents(
        among rates: [ExchangeRateID], _ changes: HouseholdTransaction
    ) async throws -> [ExchangeRateID] {
        let known = try await changes.query(
            """
            SELECT s.document_id FROM sync_document s
            WHERE s.household_id = \(changes.household) AND s.document_type = \(documentType) AND NOT s.deleted
            """
        ).decode(ExchangeRateID.self)
        let documents = Set(known)
        return rates.filter { documents.contains($0) }
    }

    /// Finds the rates that convert an expense or a receipt but are not documents yet. Marks these rates as changed, so
    /// that clients receive them.
    static func publish(_ changes: HouseholdTransaction) async throws {
        let household = changes.household
        let rows = try await changes.query(unpublishedRates("expense e", "receipt r", household))
        let rates = try rows.decode(ExchangeRateID.self)
        changes.changed(.exchangeRate, rates)
    }

    /// Selects the rates that convert one of these expenses or receipts but are not documents yet.
    static func unpublishedRates(
        for expenses: [Identifier<Void>], _ receipts: [Identifier<Void>], _ household: HouseholdID
    ) -> SQL {
        // Without statistics, a join could read all expenses or receipts of the household for each identifier.
        unpublishedRates(
            """
            unnest(\(expenses)) AS n (id) CROSS JOIN LATERAL (SELECT * FROM expense e
                WHERE e.household_id = \(household) AND e.id = n.id OFFSET 0) e
            """,
            """
            unnest(\(receipts)) AS n (id) CROSS JOIN LATERAL (SELECT * FROM receipt r
                WHERE r.household_id = \(household) AND r.id = n.id OFFSET 0) r
            """, household)
    }

    private static func unpublishedRates(_ expenses: SQL, _ receipts: SQL, _ household: HouseholdID) -> SQL {
        """
        SELECT DISTINCT x.id FROM (
            SELECT e.day, e.currency FROM \(expenses)
            WHERE e.household_id = \(household) AND e.day IS NOT NULL AND NOT e.is_personal
            UNION
            SELECT r.purchase_day, r.currency FROM \(receipts)
            WHERE r.household_id = \(household) AND r.booked_month IS NOT NULL) d
        JOIN household h ON h.id = \(household) AND h.currency <> d.currency
        CROSS JOIN LATERAL unnest(ARRAY[d.currency, h.currency]) AS c (code)
        CROSS JOIN LATERAL (SELECT q.id FROM exchange_rate q WHERE q.household_id = \(household)
            AND q.currency = c.code AND q.day <= d.day AND q.day >= d.day - \(HomeAmount.rateDays)
            ORDER BY q.day DESC LIMIT 1) x
        WHERE \(isUnpublished("x.id", household))
        """
    }

    /// Returns a statement that deletes an imported rate that is not a document. A client can then create a rate for
    /// the currency and the date.
    static func makeRoom(for currency: CurrencyCode, on day: LocalDate, _ household: HouseholdID) -> SQL {
        """
        DELETE FROM exchange_rate x WHERE x.household_id = \(household) AND x.currency = \(currency.code)
            AND x.day = \(day) AND \(isUnpublished("x.id", household))
        """
    }

    private static func isUnpublished(_ id: SQL, _ household: HouseholdID) -> SQL {
        """
        NOT EXISTS (SELECT 1 FROM sync_document s WHERE s.household_id = \(household)
            AND s.document_type = \(documentType) AND s.document_id = \(id) AND NOT s.deleted)
        """
    }
}
