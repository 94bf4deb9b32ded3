import Domain
import HTTP
import Postgres

/// Moves lines and pages of a receipt to a second receipt. Used if one picture shows two receipts.
struct ReceiptSeparation: Sendable {
    let database: Database

    /// The lines and pages to move. Pages are given by their number in the receipt, from 0.
    struct Choice: Sendable {
        let lines: [ReceiptLineID]
        let pages: [Int32]
    }

    /// The result of a separation.
    enum Result: Sendable {
        /// The second receipt.
        case separated(ReceiptID)
        /// All chosen lines belong to another receipt already.
        case already(ReceiptID)
        /// The receipt is being read.
        case isReading
        /// Nothing was chosen, or the first receipt would be empty.
        case nothing
    }

    /// - Throws: `Conflict`, `Refusal.notFound`.
    func separate(_ id: ReceiptID, _ choice: Choice, revision: Int64, _ member: Member) async throws -> Result {
        let household = member.household
        return try await database.write(household, by: member.person) { changes in
            let rows = try await changes.query(
                batch: StoredReceiptQueries.statements(id, member))
            let current = try StoredReceiptQueries.decode(id, rows)
            guard current.stage != .reading else { return .isReading }
            let keys = Set(choice.lines.map(\.description))
            guard current.revision == revision else {
                if current.draft.lines.contains(where: { keys.contains($0.key) }) { throw Conflict() }
                guard let holder = try await holder(of: choice.lines, member, changes) else { throw Conflict() }
                return .already(holder)
            }
            let linesToMove = current.draft.lines.filter { keys.contains($0.key) }
            let pages = current.pages.map(\.n).filter(choice.pages.contains)
            // The first receipt must keep a line or a picture.
            let leavesLines = linesToMove.count < current.draft.lines.count
            let leavesPages = !pages.isEmpty && pages.count < current.pages.count
            guard !linesToMove.isEmpty || !pages.isEmpty, leavesLines || leavesPages else { return .nothing }
            let second = ReceiptID.new()
            try await changes.query(batch: receipts(current, second, linesToMove, household))
            // If the person chose no pages, both receipts show all pictures.
            if pages.isEmpty {
                try await changes.query(copyPages(id, second, household))
            } else {
                try await changes.query(batch: movePages(pages, id, second, household))
            }
            try await changes.query(batch: moveLines(linesToMove, id, second, household))
            changes.changed(.receipt, [id, second])
            try await ReceiptExpenseEdits.separate(id, second, changes)
            try await PriceHistory.update([id, second], changes)
            return .separated(second)
        }
    }

    /// Returns the receipt that has all of these lines; nil when the lines belong to several receipts.
    private func holder(
        of lines: [ReceiptLineID], _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> ReceiptID? {
        let rows = try await changes.query(
            """
            SELECT l.receipt_id, count(*) FROM receipt_line l
            JOIN receipt r ON r.household_id = l.household_id AND r.id = l.receipt_id
            WHERE l.household_id = \(member.household) AND l.id = ANY(\(lines)) AND \(Visibility.condition(member))
            GROUP BY l.receipt_id
            """)
        guard let (receipt, count) = try rows.first((ReceiptID, Int64).self), count == Int64(Set(lines).count) else {
            return nil
        }
        return receipt
    }

    // MARK: Statements

    /// Inserts the second receipt, with the store, day and hiding date of the first, and updates the first.
    private func receipts(
        _ current: StoredReceipt, _ second: ReceiptID, _ moved: [ReviewDraft.Line], _ household: HouseholdID
    ) -> [SQL] {
        let (rest, other, owner) = drafts(current, moved)
        // A total that was computed instead of read is marked as doubtful, unless the receipt is confirmed.
        let isComputed = current.stage != .confirmed && rest.total != current.draft.total
        let doubts = current.doubts + (isComputed && !current.doubts.contains(.total) ? [.total] : [])
        let movesMark = owner == .second
        // The reasons "training" and "cancelled" apply to both receipts. The printed number of articles applies to
        // neither.
        let shared = current.reasons.filter { $0.code == .training || $0.code == .cancelled }
        // The other open reasons remain, because moving lines does not settle them.
        let open =
            OpenReasons.reasonsFromSums(rest)
            + (current.stage == .confirmed ? [] : OpenReasons(before: current, after: current.draft).unsettled)
            .filter { $0.code != .count }
        return [
            """
            INSERT INTO receipt (household_id, id, stage, verdict, reasons, store_id, printed_store, purchase_day,
                purchase_time, currency, total_minor, doubts, marks, person_id, source, hidden_until)
            SELECT household_id, \(second), \(Stage.review), \(Verdict.review),
                \(OpenReasons.reasonsFromSums(other) + shared), store_id, printed_store, purchase_day,
                purchase_time, currency, \(other.total), \([ReviewField.total]),
                CASE WHEN \(movesMark) AND marks ? 'total' THEN jsonb_build_object('total', marks -> 'total') ELSE '{}' END,
                person_id, source, hidden_until
            FROM receipt WHERE household_id = \(household) AND id = \(current.id)
            """,
            """
            UPDATE receipt SET total_minor = \(rest.total), reasons = \(open),
                doubts = \(doubts), marks = CASE WHEN \(movesMark) THEN marks - 'total' ELSE marks END,
                verdict = \(Verdict.review), joined = joined - 'parts', revision = revision + 1
            WHERE household_id = \(household) AND id = \(current.id)
            """,
        ]
    }

    /// The receipt to which the printed total belongs.
    private enum Owner { case first, second, neither }

    /// Returns both receipts with their totals.
    ///
    /// If the receipt is not confirmed, the printed total goes to the `Owner`. A receipt without the printed total gets
    /// the sum of its lines, or no total if an amount was not read. The total of a confirmed receipt is divided.
    private func drafts(
        _ current: StoredReceipt, _ moved: [ReviewDraft.Line]
    ) -> (rest: ReviewDraft, other: ReviewDraft, owner: Owner) {
        var (rest, other) = (current.draft, current.draft)
        rest.lines.removeAll { line in moved.contains { $0.key == line.key } }
        other.lines = moved
        let owner = owner(current.draft, rest, other)
        if current.stage != .confirmed {
            if owner != .first, rest.total != nil { rest.total = completeSum(rest) }
            if owner != .second { other.total = completeSum(other) }
            return (rest, other, owner)
        }
        other.total = moved.isEmpty ? nil : other.sum
        guard let total = rest.total, rest.sum != total else { return (rest, other, owner) }
        if current.draft.sum == total || other.sum == total {
            rest.total = rest.sum
        } else {
            // The two totals must add up to the confirmed total, even if the lines do not.
            rest.total = total - (other.total ?? 0)
        }
        return (rest, other, owner)
    }

    /// The sum of the lines; nil when an amount is missing or there are no lines.
    private func completeSum(_ part: ReviewDraft) -> Int64? {
        part.lines.isEmpty || part.lines.contains(where: \.isUnread) ? nil : part.sum
    }

    /// Returns the receipt to which the printed total belongs: the receipt with the closer sum. `neither` if the sum of
    /// all lines is at least as close.
    private func owner(_ whole: ReviewDraft, _ rest: ReviewDraft, _ other: ReviewDraft) -> Owner {
        // A receipt without lines cannot be compared with the total.
        guard !rest.lines.isEmpty, !other.lines.isEmpty else { return .first }
        guard let all = whole.difference?.magnitude, let first = rest.difference?.magnitude,
            let second = other.difference?.magnitude, min(first, second) < all
        else { return .neither }
        return first <= second ? .first : .second
    }

    /// Copies the pages. Both receipts refer to the same pictures, which are deleted with the last receipt that refers
    /// to them.
    private func copyPages(_ id: ReceiptID, _ second: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        INSERT INTO receipt_page
            (household_id, receipt_id, n, file_id, reading_blob_id, display_blob_id, preview_blob_id, width, height,
            words)
        SELECT household_id, \(second), n, file_id, reading_blob_id, display_blob_id, preview_blob_id, width, height,
            words
        FROM receipt_page WHERE household_id = \(household) AND receipt_id = \(id)
        """
    }

    /// Moves the chosen pages. They keep their numbers, because boxes refer to them. A file moves with its last page.
    private func movePages(
        _ pages: [Int32], _ id: ReceiptID, _ second: ReceiptID, _ household: HouseholdID
    ) -> [SQL] {
        [
            """
            UPDATE receipt_page SET receipt_id = \(second)
            WHERE household_id = \(household) AND receipt_id = \(id) AND n = ANY(\(pages))
            """,
            """
            UPDATE receipt_file f SET receipt_id = \(second)
            WHERE f.household_id = \(household) AND f.receipt_id = \(id)
                AND EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = f.household_id AND g.file_id = f.id
                    AND g.receipt_id = \(second))
                AND NOT EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = f.household_id
                    AND g.file_id = f.id AND g.receipt_id = \(id))
            """,
            // Removes the boxes of the head on moved pages.
            """
            UPDATE receipt SET marks = coalesce((SELECT jsonb_object_agg(m.key, m.value) FROM jsonb_each(marks) m
                WHERE NOT (m.value ->> 0)::integer = ANY(\(pages))), '{}')
            WHERE household_id = \(household) AND id = \(id)
            """,
        ]
    }

    /// Moves the chosen lines. A discount separated from its item belongs to no item. A line loses its box when its
    /// page belongs to the other receipt.
    private func moveLines(
        _ moved: [ReviewDraft.Line], _ id: ReceiptID, _ second: ReceiptID, _ household: HouseholdID
    ) -> [SQL] {
        let lines = moved.compactMap { ReceiptLineID($0.key) }
        return [
            """
            UPDATE receipt_line SET receipt_id = \(second)
            WHERE household_id = \(household) AND receipt_id = \(id) AND id = ANY(\(lines))
            """,
            """
            UPDATE receipt_line d SET bound_line_id = NULL FROM receipt_line i
            WHERE d.household_id = \(household) AND d.receipt_id IN (\(id), \(second))
                AND i.household_id = d.household_id AND i.id = d.bound_line_id AND i.receipt_id <> d.receipt_id
            """,
            """
            UPDATE receipt_line l SET page = NULL, box_x = NULL, box_y = NULL, box_width = NULL, box_height = NULL
            WHERE l.household_id = \(household) AND l.receipt_id IN (\(id), \(second)) AND l.page IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = l.household_id
                    AND g.receipt_id = l.receipt_id AND g.n = l.page)
            """,
        ]
    }
}
