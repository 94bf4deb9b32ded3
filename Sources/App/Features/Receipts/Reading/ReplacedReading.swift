import DocumentParsing
import Domain
import JSON
import Postgres

/// What a receipt said before it was read again: its lines and pages still stand there.
///
/// Pictures made for a reading that is not taken belong to nobody, and the sweeper removes them.
struct ReplacedReading: Sendable {
    private let verdict: String
    private let reasons: [String]
    let hasLines: Bool
    /// Lines against total; nothing without a total.
    private let difference: Int64?

    /// Beside the reasons of the verdict: the page says that the old reading was kept.
    static let kept = "kept"
    /// The reason of a receipt while it is read again. One that is joined with another meanwhile has none: then the whole
    /// is read, and no part's reading stands for it.
    static let mark = "reread"

    /// - Returns: nothing for a receipt that is read for the first time, or as a part of another.
    static func find(_ receipt: ReceiptID, _ changes: HouseholdTransaction) async throws -> ReplacedReading? {
        let household = changes.household
        let rows = try await changes.query(
            """
            SELECT c.body ->> 'verdict', ARRAY(SELECT jsonb_array_elements_text(c.body -> 'reasons')),
                (SELECT sum(l.total_minor)::bigint FROM receipt_line l
                    WHERE l.household_id = r.household_id AND l.receipt_id = r.id) - r.total_minor,
                EXISTS (SELECT 1 FROM receipt_line l WHERE l.household_id = r.household_id AND l.receipt_id = r.id)
            FROM receipt r
            JOIN LATERAL (
                SELECT body FROM change_log c
                WHERE c.household_id = r.household_id AND c.document_id = r.id AND NOT c.deleted
                    AND c.body ->> 'stage' <> 'reading'
                ORDER BY c.revision DESC LIMIT 1) c ON true
            WHERE r.household_id = \(household) AND r.id = \(receipt) AND r.reasons = \([mark])
            """)
        guard let (verdict, reasons, difference, hasLines) = try rows.first((String?, [String], Int64?, Bool).self),
            let verdict
        else { return nil }
        return ReplacedReading(verdict: verdict, reasons: reasons, hasLines: hasLines, difference: difference)
    }

    /// A proven reading gives way to a proven one only, and lines that make the total to lines that do so too.
    func provesMore(than reading: StoredReading) -> Bool {
        guard hasLines, reading.verdict != "proven" else { return false }
        if verdict == "proven" { return true }
        return verdict == "review" && difference == 0 && reading.difference != 0
    }

    /// Gives the receipt back what it said; it waits for a look, as after every reading.
    func keep(_ receipt: ReceiptID, _ changes: HouseholdTransaction) async throws {
        let reasons = reasons.filter { $0 != Self.kept } + [Self.kept]
        try await changes.query(
            """
            UPDATE receipt SET stage = 'review', verdict = \(verdict), reasons = \(reasons), revision = revision + 1
            WHERE household_id = \(changes.household) AND id = \(receipt)
            """)
        changes.changed(.receipt, receipt)
    }
}

extension StoredReading {
    /// Lines against total in minor units; nothing without a total.
    fileprivate var difference: Int64? {
        receipt.total.map { total in
            receipt.items.reduce(0) { $0 + ($1.total?.value.minorUnits ?? 0) } - total.value.minorUnits
        }
    }
}
