import Domain
import Postgres

/// The statements that number and log a transaction's changes and create revisions for sync clients.
///
/// A new revision is a child of the document's winning revision, in CouchDB's terms. The hash of the new revision
/// depends only on that parent, the document and its attachments. A write that changes nothing visible to clients gets
/// a sequence number, but no revision.
///
/// If a document becomes private, the other members receive a deletion. The deletion and the private revision are both
/// children of the last revision that those members may have. When the document becomes visible again, its newest
/// revision is a descendant of the private revision. In CouchDB this revision wins against the deletion, so the members
/// see the document again.
struct ChangeLogEntries {
    let household: HouseholdID
    /// The author; nil for the server.
    let person: PersonID?

    /// Logs documents that the transaction wrote, in their current state.
    func loggingWrites(_ type: DocumentType, _ ids: [PostgresUUID]) -> SQL {
        let attachments: SQL = type == .image ? "e.body -> 'attachments'" : "NULL::jsonb"
        return """
            WITH documents AS (\(type.bodies(household.postgresStored, ids))),
            \(reservingNumbers(count: ids.count)),
            entries AS (
                SELECT d.id, d.revision, d.body, reserved.sync_seq - row_number() OVER (ORDER BY d.id) + 1 AS seq,
                    s.generation AS parent_generation, s.hash AS parent_hash, coalesce(s.deleted, true) AS was_deleted,
                    s.content AS old_content, sync_body(\(type.rawValue), d.body, s.extra) AS document,
                    -- A row with the number 0 was inserted by this transaction.
                    coalesce(s.seq > 0 AND s.private_to IS NULL, false) AS was_shared
                FROM documents d CROSS JOIN reserved
                LEFT JOIN LATERAL (SELECT * FROM sync_document s WHERE s.household_id = \(household)
                    AND s.document_type = \(type.rawValue) AND s.document_id = d.id OFFSET 0) s ON true),
            compared AS (
                SELECT e.*, md5(concat_ws(' ', e.document::text, \(attachments))) AS content, \(attachments) AS attachments,
                    \(privateTo(type)) AS private_to
                FROM entries e),
            \(computingRevisions("NOT c.was_deleted AND c.old_content = c.content")),
            \(writingEntries(type, isDeleted: false))
            \(upsert(type, isDeleted: false, receipt: type == .image || type == .expense
            ? "(r.body ->> 'receipt_id')::uuid" : "NULL::uuid", source: type == .image ? "r.body ->> 'source'" : "NULL"))
            """
    }

    /// Logs a document that the transaction deleted.
    func loggingDeletion(_ type: DocumentType, _ id: Identifier<Void>, _ revision: Int64) -> SQL {
        """
        WITH \(reservingNumbers(count: 1)),
        compared AS (
            SELECT \(id)::uuid AS id, \(revision)::bigint AS revision, NULL::jsonb AS body, reserved.sync_seq AS seq,
                s.generation AS parent_generation, s.hash AS parent_hash, coalesce(s.deleted, false) AS was_deleted,
                NULL::jsonb AS document, NULL::text AS content, NULL::jsonb AS attachments, false AS was_shared,
                NULL::uuid AS private_to
            FROM reserved LEFT JOIN sync_document s ON s.household_id = \(household)
                AND s.document_type = \(type.rawValue) AND s.document_id = \(id)),
        \(computingRevisions("c.was_deleted")),
        \(writingEntries(type, isDeleted: true))
        \(upsert(type, isDeleted: true, receipt: "NULL::uuid", source: "NULL"))
        """
    }

    /// Reserves `count` sequence numbers; `reserved.sync_seq` is the last of them.
    private func reservingNumbers(count: Int) -> SQL {
        """
        reserved AS (
            UPDATE household SET sync_seq = sync_seq + \(Int64(count)) WHERE id = \(household) RETURNING sync_seq)
        """
    }

    /// Computes the new revision of each document, and the deletion for other members if the document has become
    /// private.
    ///
    /// - Parameter isSame: a condition on `c`; documents for which it is true keep their winning revision, unless they
    ///   become private.
    private func computingRevisions(_ isSame: SQL) -> SQL {
        """
        judged AS (SELECT c.*, c.parent_hash IS NOT NULL AND (\(isSame))
            AND NOT (c.was_shared AND c.private_to IS NOT NULL) AS is_same FROM compared c),
        revised AS (
            SELECT j.*, CASE WHEN j.is_same THEN j.parent_generation ELSE coalesce(j.parent_generation, 0) + 1 END
                AS generation,
                CASE WHEN j.is_same THEN j.parent_hash ELSE md5(concat_ws(' ',
                    j.parent_generation || '-' || j.parent_hash, coalesce(j.content, 'deleted'))) END AS hash,
                CASE WHEN j.was_shared AND j.private_to IS NOT NULL AND NOT j.was_deleted
                    THEN md5(concat_ws(' ', j.parent_generation || '-' || j.parent_hash, 'deleted')) END AS hiding_hash
            FROM judged j)
        """
    }

    /// Writes the entries of the change log and the new revisions.
    private func writingEntries(_ type: DocumentType, isDeleted: Bool) -> SQL {
        """
        logged AS (
            INSERT INTO change_log
                (household_id, seq, document_type, document_id, revision, deleted, body, person_id, rev)
            SELECT \(household), r.seq, \(type.rawValue), r.id, r.revision, \(isDeleted), r.body, \(person),
                r.generation || '-' || r.hash
            FROM revised r),
        tree AS (
            INSERT INTO document_revision (household_id, document_type, document_id, generation, hash, parent, deleted, body,
                attachments, person_id)
            SELECT \(household), \(type.rawValue), r.id, r.generation, r.hash,
                r.parent_generation || '-' || r.parent_hash, \(isDeleted), r.document, r.attachments, \(person)
            FROM revised r WHERE NOT r.is_same
            ON CONFLICT DO NOTHING),
        hiding AS (
            INSERT INTO document_revision (household_id, document_type, document_id, generation, hash, parent, deleted)
            SELECT \(household), \(type.rawValue), r.id, r.parent_generation + 1, r.hiding_hash,
                r.parent_generation || '-' || r.parent_hash, true
            FROM revised r WHERE r.hiding_hash IS NOT NULL
            ON CONFLICT DO NOTHING)
        """
    }

    /// Stores the new state of each document for sync clients.
    ///
    /// - Parameter receipt: the receipt to which an image or an expense belongs; NULL for other documents.
    private func upsert(_ type: DocumentType, isDeleted: Bool, receipt: SQL, source: SQL) -> SQL {
        """
        INSERT INTO sync_document AS o (household_id, document_type, document_id, seq, generation, hash, deleted, content,
            leaves, private_to, owner_id, source, hidden_rev, hidden_seq)
        SELECT \(household), \(type.rawValue), r.id, r.seq, r.generation, r.hash, \(isDeleted), r.content,
            ARRAY[r.generation || '-' || r.hash], r.private_to, \(receipt), \(source),
            -- If the document was deleted before, the other members already have its deletion.
            CASE WHEN r.hiding_hash IS NOT NULL THEN (r.parent_generation + 1) || '-' || r.hiding_hash
                WHEN r.was_shared AND r.private_to IS NOT NULL THEN r.parent_generation || '-' || r.parent_hash END,
            CASE WHEN r.was_shared AND r.private_to IS NOT NULL THEN r.seq END
        FROM revised r
        ON CONFLICT (household_id, document_type, document_id) DO UPDATE
        SET seq = excluded.seq, generation = excluded.generation, hash = excluded.hash, deleted = excluded.deleted,
            content = excluded.content, source = excluded.source,
            leaves = excluded.leaves || array_remove(array_remove(o.leaves, o.generation || '-' || o.hash),
                excluded.leaves[1]),
            -- A document that only one person could see stays private to this person when it is deleted.
            private_to = CASE WHEN excluded.deleted THEN o.private_to ELSE excluded.private_to END,
            owner_id = CASE WHEN excluded.deleted THEN o.owner_id ELSE excluded.owner_id END,
            -- While the document stays private, other members receive the same deletion.
            hidden_rev = CASE WHEN excluded.deleted OR excluded.private_to IS NOT NULL
                THEN coalesce(excluded.hidden_rev, o.hidden_rev) END,
            hidden_seq = CASE WHEN excluded.deleted OR excluded.private_to IS NOT NULL
                THEN coalesce(excluded.hidden_seq, o.hidden_seq) END
        """
    }

    /// The only person who receives the document; NULL for all members.
    private func privateTo(_ type: DocumentType) -> SQL {
        switch type {
        case .preferences: "e.id"
        case .receipt: hidden("(e.body ->> 'hidden_until')::date > \(WallClock.today())")
        case .image:
            // Before the reader has covered personal details, only the uploader receives the file.
            hidden("((e.body ->> 'hidden_until')::date > \(WallClock.today()) OR e.body ->> 'blob_id' IS NOT NULL)")
        case .expense, .recurringExpense: hidden("(e.body ->> 'is_personal')::boolean")
        case .store:
            Visibility.personOfHiddenStore("e.id", household)
        case .category, .product, .alias, .comparisonGroup, .ignoredName, .settlement, .budget, .expenseRule,
            .savingsGoal, .exchangeRate:
            "NULL::uuid"
        case .bankFile: "(e.body ->> 'person_id')::uuid"
        // No client receives these types: they have no published schema yet.
        case .wine, .wineBottle, .wineScan, .wineCatalogue:
            "'00000000-0000-0000-0000-000000000000'::uuid"
        }
    }

    /// NULL if the condition is false. Otherwise the person who uploaded or entered the document; if this person is
    /// unknown, the zero identifier, so that no member receives the document.
    private func hidden(_ condition: SQL) -> SQL {
        """
        CASE WHEN \(condition)
            THEN coalesce((e.body ->> 'person_id')::uuid, '00000000-0000-0000-0000-000000000000') END
        """
    }
}
