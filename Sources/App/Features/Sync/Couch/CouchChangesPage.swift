import Domain
import JSON
import Postgres

/// A page of `_changes`, sorted by sequence number.
struct CouchChangesPage {
    struct Row {
        let seq: Int64
        let key: DocumentKey
        let leaves: [RevisionID]
        let isDeleted: Bool
        /// The document, if the client requested documents or a filter needs them.
        var document: DocumentRevisions?

        func write(_ changes: CouchChanges, files: [String: BlobID], into json: inout JSONWriter) {
            json.object { json in
                json.member("seq", seq)
                json.member("id", key.description)
                json.array("changes") { json in
                    for leaf in changes.allLeaves ? leaves : Array(leaves.prefix(1)) {
                        json.object { $0.member("rev", leaf.description) }
                    }
                }
                if isDeleted { json.member("deleted", true) }
                guard changes.includesDocuments else { return }
                if let document, let winner = leaves.first, let stored = document.revisions[winner] {
                    json.name("doc")
                    CouchDocumentWriter.write(stored, of: document, changes.options, files: files, into: &json)
                }
            }
        }
    }

    var rows: [Row]
    /// The sequence number of the last change on this page. The next page begins after it.
    let last: Int64
    let isLast: Bool
    /// The number of rows after this page, before filtering.
    let pending: Int64

    static func read(_ changes: CouchChanges, after cursor: Int64, size: Int64) async throws -> CouchChangesPage {
        let member = changes.member
        let keyCondition: SQL =
            changes.keys.map { keys in
                """
                AND (s.document_type, s.document_id) IN (SELECT * FROM unnest(\(keys.map(\.type.rawValue)), \(keys.map(\.id))))
                """
            } ?? ""
        let scope: SQL = """
            FROM sync_document s WHERE s.household_id = \(member.household) AND s.seq > \(cursor) \(keyCondition)
                AND \(SyncDocumentQueries.isReceived(member))
            """
        let results = try await changes.database.read(
            member.household,
            batch: [
                // Reads this number first: changes that are committed between the two queries have higher numbers.
                "SELECT sync_seq FROM household WHERE id = \(member.household)",
                """
                SELECT s.seq, s.document_type, s.document_id, \(SyncDocumentQueries.leaves(member)),
                    \(SyncDocumentQueries.isDeleted(member)) \(scope) ORDER BY s.seq LIMIT \(size)
                """,
            ])
        let newest = try results[0].first(Int64.self) ?? cursor
        var rows: [Row] = []
        for (seq, type, id, leaves, isDeleted) in try results[1].decode(
            (Int64, String, Identifier<Void>, [String], Bool).self)
        {
            guard let type = DocumentType(rawValue: type) else { continue }
            rows.append(
                Row(
                    seq: seq, key: DocumentKey(type, id), leaves: leaves.compactMap { RevisionID($0) },
                    isDeleted: isDeleted))
        }
        let isLast = results[1].count < size
        var pending: Int64 = 0
        let last = isLast ? max(newest, rows.last?.seq ?? cursor) : rows.last?.seq ?? newest
        if !isLast {
            pending =
                try await changes.database.read(
                    member.household,
                    """
                    SELECT count(*) FROM sync_document s WHERE s.household_id = \(member.household) AND s.seq > \(last)
                        \(keyCondition) AND \(SyncDocumentQueries.isReceived(member))
                    """
                ).first(Int64.self) ?? 0
        }
        if changes.includesDocuments || changes.selector != nil {
            let documents = try await SyncDocumentQueries(database: changes.database).load(rows.map(\.key), member)
            for index in rows.indices { rows[index].document = documents[rows[index].key] }
            if let selector = changes.selector { rows = try rows.filter { try $0.matches(selector) } }
        }
        return CouchChangesPage(rows: rows, last: last, isLast: isLast, pending: pending)
    }
}

extension CouchChangesPage.Row {
    fileprivate func matches(_ selector: CouchSelector) throws -> Bool {
        guard let stored = leaves.first.flatMap({ document?.revisions[$0] }) else { return false }
        var object =
            try stored.body.flatMap { try JSONValue(reading: $0, limits: SyncLimits.storedDocument).object }
            ?? JSONObject()
        object["_id"] = .string(key.description)
        object["_rev"] = .string(stored.revision.description)
        if stored.isDeleted {
            object["_deleted"] = true
            // A deletion has no fields. The type is added, because a replica that selects documents by type must also
            // receive the deletions of this type.
            object["type"] = .string(key.type.rawValue)
        }
        return selector.matches(.object(object))
    }
}
