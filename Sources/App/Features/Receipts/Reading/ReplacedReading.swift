import DocumentParsing
import Domain
import JSON
import Postgres

/// The stored reading of a receipt that was read again. It is loaded before the new reading replaces its lines and
/// pages. If the stored reading is kept, the sweeper removes the pictures of the new reading.
struct ReplacedReading: Sendable {
    private let verdict: Verdict
    private let reasons: [Reason]
    let hasLines: Bool
    /// Sum of the lines minus the total in minor units; nil without a total.
    private let difference: Int64?

    /// - Returns: nil for a receipt that is read for the first time, and for a joined receipt.
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
                    AND c.body ->> 'stage' <> \(Stage.reading.sql)
                ORDER BY c.revision DESC LIMIT 1) c ON true
            WHERE r.household_id = \(household) AND r.id = \(receipt) AND r.reasons = \([Reason(.reread)])
            """)
        guard let (verdict, reasons, difference, hasLines) = try rows.first((Verdict?, [Reason], Int64?, Bool).self),
            let verdict
        else { return nil }
        return ReplacedReading(verdict: verdict, reasons: reasons, hasLines: hasLines, difference: difference)
    }

    /// Whether this reading verified more than the new `reading`; it is then kept. A proven reading is replaced only by
    /// a proven reading. Lines that add up to the total are replaced only by lines that also add up to the total.
    func provesMore(than reading: StoredReading) -> Bool {
        guard hasLines, reading.verdict != .proven else { return false }
        if verdict == .proven { return true }
        return verdict == .review && difference == 0 && reading.difference != 0
    }

    /// Keeps this reading. As after every reading, the receipt waits for a review.
    func keepReading(_ receipt: ReceiptID, _ changes: HouseholdTransaction) async throws {
        let reasons = reasons.filter { $0.code != .kept } + [Reason(.kept)]
        try await changes.query(
            """
            UPDATE receipt SET stage = \(Stage.review), verdict = \(verdict), reasons = \(reasons), revision = revision + 1
            WHERE household_id = \(changes.household) AND id = \(receipt)
            """)
        changes.changed(.receipt, receipt)
    }
}

extension StoredReading {
    /// Sum of the lines minus the total in minor units; nil without a total.
    fileprivate var difference: Int64? {
        receipt.total.map { total in
            receipt.items.reduce(0) { $0 + ($1.total?.value.minorUnits ?? 0) } - total.value.minorUnits
        }
    }
}
