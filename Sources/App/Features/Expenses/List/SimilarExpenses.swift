import Domain
import Postgres

/// Texts and payees of a household's expenses that are similar to a search word.
struct SimilarExpenses: Sendable {
    let texts: [String]

    /// The maximum number of descriptions, of payees and of stores that are compared.
    private static let maximumTexts: Int32 = 20_000
    private static let maximumHits = 200

    /// Returns nil if no text is similar.
    static func find(
        _ text: String, _ member: Member, _ database: Database, _ slowWork: SlowWork
    ) async throws -> SimilarExpenses? {
        let rows = try await database.read(
            member.household,
            """
            (SELECT DISTINCT e.what FROM expense e WHERE e.household_id = \(member.household) AND e.day IS NOT NULL
                AND e.discarded_at IS NULL AND \(ExpenseVisibility.condition(member)) LIMIT \(maximumTexts))
            UNION (SELECT DISTINCT e.payee FROM expense e WHERE e.household_id = \(member.household) AND e.payee <> ''
                AND e.discarded_at IS NULL AND \(ExpenseVisibility.condition(member)) LIMIT \(maximumTexts))
            UNION (SELECT s.name FROM store s
                WHERE s.household_id = \(member.household) AND \(Visibility.storeCondition(member))
                LIMIT \(maximumTexts))
            """
        ).decode(String.self)
        return try await slowWork.run {
            let search = NameSearch(rows.map { (id: $0, name: $0) })
            let hits = search.find(text, limit: maximumHits).map(\.id)
            return hits.isEmpty ? nil : SimilarExpenses(texts: hits)
        }
    }
}
