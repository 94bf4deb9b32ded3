import Domain
import Postgres

/// The exchange rates that sync clients receive: those that a person or a program has set, and imported ones that
/// convert an expense which all members see.
///
/// A file of the European Central Bank has about 30 rates for each day. Most of them convert no expense, so they are
/// not documents.
enum PublishedRates {
    private static let documentType = DocumentType.exchangeRate.rawValue

    /// Returns those of the rates that are documents already.
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

    /// Marks the rates that convert an expense but are not documents yet as changed, so that clients receive them.
    static func publish(_ changes: HouseholdTransaction) async throws {
        let rates = try await changes.query(missing(changes.household)).decode(ExchangeRateID.self)
        changes.changed(.exchangeRate, rates)
    }

    /// Selects the rates that convert an expense but are not documents yet.
    ///
    /// - Parameter expenses: the expenses to consider; nil for all.
    static func missing(for expenses: [Identifier<Void>]? = nil, _ household: HouseholdID) -> SQL {
        let all: SQL = "expense e"
        // Without statistics, a join could read all expenses of the household for each of these.
        let source: SQL =
            expenses.map { ids in
                """
                unnest(\(ids)) AS n (id) CROSS JOIN LATERAL (SELECT * FROM expense e
                    WHERE e.household_id = \(household) AND e.id = n.id OFFSET 0) e
                """
            } ?? all
        return """
            SELECT DISTINCT x.id FROM \(source)
            JOIN household h ON h.id = \(household)
            CROSS JOIN LATERAL unnest(ARRAY[e.currency, h.currency]) AS c (code)
            CROSS JOIN LATERAL (SELECT r.id FROM exchange_rate r WHERE r.household_id = \(household)
                AND r.currency = c.code AND r.day <= e.day AND r.day >= e.day - \(HomeAmount.rateDays)
                ORDER BY r.day DESC LIMIT 1) x
            WHERE e.household_id = \(household) AND e.day IS NOT NULL
                AND e.currency <> h.currency AND NOT e.is_personal AND \(isUnpublished("x.id", household))
            """
    }

    /// Returns a statement that deletes an imported rate that is not a document, so that a client can create one for
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
