import Domain
import HTTP
import Postgres
import Recognition

/// Joins several receipts into one: the photos of a long receipt.
struct ReceiptJoining: Sendable {
    let database: Database

    /// The maximum number of files and pictures of the joined receipt: as many as one reader job can have.
    static let maximumParts = ReadingJob.maximumFiles

    /// Receipts that can be joined (not confirmed, not discarded, with a picture or a file), the oldest first.
    func candidates(_ member: Member) async throws -> [ListedReceipt] {
        try await database.read(
            member.household,
            """
            SELECT \(ListedReceipt.columns(member)) FROM \(ListedReceipt.source)
            WHERE r.household_id = \(member.household) AND \(Self.isJoinable(member))
            ORDER BY r.created_at, r.id LIMIT 100
            """
        ).decode()
    }

    /// Moves files, pages and lines of `receipts` to the first receipt, in the given order. Deletes the other receipts,
    /// and queues the first receipt to be read again as a whole. Until that reading succeeds, the first receipt has the
    /// lines of all parts.
    ///
    /// People's corrections of the parts are kept and applied again after the joined receipt is read.
    ///
    /// - Parameter agreed: the receipts for which the person has answered `Question` with yes.
    /// - Throws: `Question`; `Refusal` when a receipt has been deleted, confirmed or discarded, or when the receipts
    ///   have too many pages together.
    func join(_ receipts: [ReceiptID], agreed: Set<ReceiptID>, _ member: Member) async throws {
        guard let first = receipts.first, Set(receipts).count == receipts.count else { throw Refusal.badRequest }
        let household = member.household
        try await database.write(household, by: member.person) { changes in
            let parts = try await parts(receipts, member, changes)
            guard parts.count == receipts.count else { throw Refusal(.conflict, "joinedMeanwhile") }
            guard parts.reduce(0, { $0 + $1.sourceCount }) <= Int64(Self.maximumParts) else { throw Refusal.tooLarge }
            let record = try await JoinedParts.record(receipts, changes)
            if !agreed.isSuperset(of: receipts) {
                let question = Question(
                    differences: try await differences(receipts, changes),
                    mayLoseCorrections: CarriedCorrections.mayBeLost(try JoinedParts.corrections(record.corrections)))
                guard question.isSettled else { throw question }
            }
            var statements = moves(to: first, parts, household)
            let others = Array(receipts.dropFirst())
            statements += [
                """
                UPDATE receipt r SET stage = \(Stage.reading), verdict = NULL, reasons = '{}', duplicate_of = NULL,
                    purchase_key = NULL, joined = \(record.joined),
                    note = left(concat_ws(E'\\n', nullif(r.note, ''), (SELECT string_agg(o.note, E'\\n') FROM receipt o
                        WHERE o.household_id = r.household_id AND o.id = ANY(\(others)) AND o.note <> '')), 2000),
                    -- The latest hiding date of the parts, with the person of that part.
                    (hidden_until, person_id) = (SELECT o.hidden_until, o.person_id FROM receipt o
                        WHERE o.household_id = r.household_id AND o.id = ANY(\(receipts))
                        ORDER BY o.hidden_until DESC NULLS LAST, o.id = r.id DESC LIMIT 1),
                    revision = revision + 1
                WHERE r.household_id = \(household) AND r.id = \(first)
                """,
                // Deletes the jobs, so that a worker that is reading one of the parts stores nothing.
                "DELETE FROM job WHERE household_id = \(household) AND subject_id = ANY(\(receipts))",
            ]
            try await ReceiptExpenseEdits.joinSplits(receipts, changes)
            try await changes.query(batch: statements)
            let repeated = try await changes.query(
                """
                UPDATE receipt SET duplicate_of = \(first), revision = revision + 1
                WHERE household_id = \(household) AND duplicate_of = ANY(\(others)) AND NOT id = ANY(\(receipts))
                RETURNING id
                """
            ).decode(ReceiptID.self)
            try await ReceiptExpenseEdits.joinStated(receipts, changes)
            try await ReceiptExpenseEdits.joinValues(receipts, changes)
            try await changes.query(batch: [
                "UPDATE receipt SET duplicate_of = NULL WHERE household_id = \(household) AND id = ANY(\(others))",
                "DELETE FROM receipt WHERE household_id = \(household) AND id = ANY(\(others))",
                JobQueue.enqueue(.read, first.relabelled(), household), JobQueue.notify,
            ])
            changes.changed(.receipt, [first] + repeated)
            for part in parts.dropFirst() { changes.deleted(.receipt, part.id, lastRevision: part.revision) }
        }
    }

    /// A question that the member has to answer before the receipts are joined. Thrown before anything is written.
    struct Question: Error {
        let differences: [JoinDifference]
        /// Whether people corrected lines, or made different corrections of the same field in two parts.
        let mayLoseCorrections: Bool

        /// Whether there is nothing to ask.
        var isSettled: Bool { differences.isEmpty && !mayLoseCorrections }
    }

    /// Returns the receipt into which an earlier request joined the other receipts; nil if they were not joined.
    func earlierResult(of receipts: [ReceiptID], _ endedReceipts: EndedReceipts, _ member: Member) async throws
        -> ReceiptID?
    {
        let remaining = try await database.read(
            member.household,
            """
            SELECT r.id FROM receipt r
            WHERE r.household_id = \(member.household) AND r.id = ANY(\(receipts)) AND \(Visibility.condition(member))
            """
        ).decode(ReceiptID.self)
        guard remaining.count == 1, try await endedReceipts.areDeleted(receipts.filter { $0 != remaining[0] }, member)
        else {
            return nil
        }
        return remaining[0]
    }

    // MARK: Parts

    private struct Part {
        let id: ReceiptID
        let revision: Int64
        /// The first unused page number. `nextFile` and `nextLine` are the first unused positions of files and lines.
        let nextPage: Int32
        let nextFile: Int32
        let nextLine: Int32
        /// The number of files and pictures that the reader has to read.
        let sourceCount: Int64
    }

    private static func isJoinable(_ member: Member) -> SQL {
        """
        r.stage <> \(Stage.confirmed.sql) AND r.discarded_at IS NULL AND \(Visibility.condition(member))
            AND (EXISTS (SELECT 1 FROM receipt_page g WHERE g.household_id = r.household_id AND g.receipt_id = r.id)
                OR EXISTS (SELECT 1 FROM receipt_file f
                    WHERE f.household_id = r.household_id AND f.receipt_id = r.id AND f.blob_id IS NOT NULL))
        """
    }

    private func parts(
        _ receipts: [ReceiptID], _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> [Part] {
        let rows = try await changes.query(
            """
            SELECT r.id, r.revision,
                (SELECT coalesce(max(g.n) + 1, 0) FROM receipt_page g
                 WHERE g.household_id = r.household_id AND g.receipt_id = r.id),
                (SELECT coalesce(max(f.position) + 1, 0) FROM receipt_file f
                 WHERE f.household_id = r.household_id AND f.receipt_id = r.id),
                (SELECT coalesce(max(l.position) + 1, 0) FROM receipt_line l
                 WHERE l.household_id = r.household_id AND l.receipt_id = r.id),
                (SELECT count(*) FROM receipt_page g WHERE g.household_id = r.household_id AND g.receipt_id = r.id)
                + (SELECT count(*) FROM receipt_file f
                   WHERE f.household_id = r.household_id AND f.receipt_id = r.id AND f.blob_id IS NOT NULL)
            FROM receipt r
            WHERE r.household_id = \(member.household) AND r.id = ANY(\(receipts)) AND \(Self.isJoinable(member))
            ORDER BY array_position(\(receipts), r.id)
            """)
        return try rows.decode((ReceiptID, Int64, Int32, Int32, Int32, Int64).self).map {
            id, revision, nextPage, nextFile, nextLine, sources in
            Part(
                id: id, revision: revision, nextPage: nextPage, nextFile: nextFile, nextLine: nextLine,
                sourceCount: sources
            )
        }
    }

    private func differences(
        _ receipts: [ReceiptID], _ changes: HouseholdTransaction
    ) async throws -> [JoinDifference] {
        let rows = try await changes.query(
            """
            SELECT coalesce(s.chain, ''), coalesce(s.name, r.printed_store ->> 'name', ''),
                coalesce(r.printed_store ->> 'chain', ''), coalesce(r.printed_store ->> 'street', s.street, ''),
                coalesce(r.printed_store ->> 'town', s.town, ''), r.purchase_day, r.purchase_key
            FROM receipt r LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            WHERE r.household_id = \(changes.household) AND r.id = ANY(\(receipts))
            """)
        return JoinDifference.differences(
            try rows.decode((String, String, String, String, String, LocalDate?, String?).self).map { row in
                let (stored, name, printed, street, town, day, key) = row
                return JoinDifference.PrintedValues(
                    chain: !stored.isEmpty || name.isEmpty ? stored : StoreNaming.chain(of: name, printed: printed),
                    place: StoreAddress(street: street, town: town), day: day, purchaseKey: key)
            })
    }

    /// Moves the files, pages and lines of each part. Their numbers continue those of the previous part.
    private func moves(to first: ReceiptID, _ parts: [Part], _ household: HouseholdID) -> [SQL] {
        guard let target = parts.first else { return [] }
        var statements: [SQL] = []
        var (nextPage, nextFile, nextLine) = (target.nextPage, target.nextFile, target.nextLine)
        for part in parts.dropFirst() {
            statements += [
                """
                UPDATE receipt_file SET receipt_id = \(first), position = position + \(nextFile)
                WHERE household_id = \(household) AND receipt_id = \(part.id)
                """,
                """
                UPDATE receipt_page SET receipt_id = \(first), n = n + \(nextPage)
                WHERE household_id = \(household) AND receipt_id = \(part.id)
                """,
                """
                UPDATE receipt_line SET receipt_id = \(first), position = position + \(nextLine),
                    page = page + \(nextPage)
                WHERE household_id = \(household) AND receipt_id = \(part.id)
                """,
            ]
            nextPage += part.nextPage
            nextFile += part.nextFile
            nextLine += part.nextLine
        }
        return statements
    }
}
