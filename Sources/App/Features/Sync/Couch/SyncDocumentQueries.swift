import Domain
import HTTP
import JSON
import Postgres

/// A stored revision of a document.
struct StoredRevision: Sendable {
    let key: DocumentKey
    let revision: RevisionID
    let parent: RevisionID?
    let isDeleted: Bool
    /// The document as JSON text. Nil for a deletion, and if the body was not loaded or is not stored.
    var body: [UInt8]?
    /// Whether the body is stored and the member may read it.
    let hasBody: Bool
    var attachments: JSONObject?
}

/// A document with its revisions. Only the requested revisions have bodies.
struct DocumentRevisions: Sendable {
    /// The leaves of the revision tree, the winner first.
    let leaves: [RevisionID]
    let isDeleted: Bool
    var revisions: [RevisionID: StoredRevision] = [:]

    var winner: RevisionID? { leaves.first }

    /// Returns the revision and its ancestors, newest first.
    func path(from revision: RevisionID) -> [RevisionID] {
        var path = [revision]
        while let parent = revisions[path[path.count - 1]]?.parent, path.count < SyncLimits.ancestors {
            path.append(parent)
        }
        return path
    }

    /// Returns the leaves that are `revision` or descend from it.
    func leaves(below revision: RevisionID) -> [RevisionID] { leaves.filter { path(from: $0).contains(revision) } }
}

/// Reads documents for sync clients. A member does not receive documents that are private to another person. If a
/// document became private after the member joined the household, the member receives the deletion of the document.
struct SyncDocumentQueries: Sendable {
    let database: Database

    /// A condition on `sync_document s` that is true if the member may read the document.
    static func isVisible(_ member: Member) -> SQL {
        "(s.private_to IS NULL OR s.private_to = \(member.person))"
    }

    /// A condition on `sync_document s` that is true if the member may read the document or receives its deletion.
    static func isReceived(_ member: Member) -> SQL {
        "(\(isVisible(member)) OR s.hidden_rev IS NOT NULL AND s.hidden_seq > \(joining(member)))"
    }

    /// The sequence number of the change with which the member joined the household; 0 if it is unknown. A document
    /// that was hidden before this change has never been visible to the member. The transaction that adds a member logs
    /// the member's preferences; this entry is used.
    static func joining(_ member: Member) -> SQL {
        """
        coalesce((SELECT max(c.seq) FROM membership m JOIN change_log c ON c.household_id = m.household_id
            AND c.document_id = m.person_id AND c.document_type = 'preferences' AND c.changed_at = m.joined_at
            WHERE m.household_id = \(member.household) AND m.person_id = \(member.person)), 0)
        """
    }

    /// The leaves that the member receives, the winner first. The leaves of a hidden document are deletions. They
    /// include the deletions of losing branches, because a replica may have the parent of such a deletion as its
    /// winner.
    static func leaves(_ member: Member) -> SQL {
        """
        CASE WHEN \(isVisible(member)) THEN s.leaves
            ELSE array_prepend(s.hidden_rev, array_remove(s.leaves[2:], s.hidden_rev)) END
        """
    }

    /// Whether the member receives the document as deleted.
    static func isDeleted(_ member: Member) -> SQL { "(s.deleted OR NOT \(isVisible(member)))" }

    /// Loads documents by key, including deleted documents. For documents that are private to another person, loads
    /// only the identifiers of the revisions.
    func load(
        _ keys: [DocumentKey], _ member: Member, bodiesOf bodies: Bodies = .leaves
    ) async throws -> [DocumentKey: DocumentRevisions] {
        guard !keys.isEmpty else { return [:] }
        let household = member.household
        let (types, ids) = (keys.map(\.type.rawValue), keys.map(\.id))
        let isVisible = Self.isVisible(member)
        let wanted: SQL =
            switch bodies {
            case .none: "false"
            case .leaves: "d.generation || '-' || d.hash = ANY(s.leaves)"
            case .named(let revisions):
                "d.generation || '-' || d.hash = ANY(s.leaves || \(revisions.map(\.description)))"
            }
        let rows = try await database.read(
            household,
            """
            SELECT s.document_type, s.document_id, \(Self.leaves(member)), \(Self.isDeleted(member)), d.generation, d.hash,
                d.parent, d.deleted, CASE WHEN \(wanted) AND \(isVisible) THEN d.body END,
                d.body IS NOT NULL AND \(isVisible), CASE WHEN \(isVisible) THEN d.attachments END
            FROM (SELECT DISTINCT * FROM unnest(\(types), \(ids))) AS n (type, id)
            JOIN sync_document s ON s.household_id = \(household) AND s.document_type = n.type AND s.document_id = n.id
            JOIN document_revision d ON d.household_id = s.household_id AND d.document_type = s.document_type
                AND d.document_id = s.document_id
            WHERE \(Self.isReceived(member))
            """)
        var documents: [DocumentKey: DocumentRevisions] = [:]
        for row in rows {
            var reader = RowReader(of: row)
            let type: String = try reader.next()
            let id: Identifier<Void> = try reader.next()
            let leaves: [String] = try reader.next()
            let isDeleted: Bool = try reader.next()
            let revision = RevisionID(generation: try reader.next(), hash: try reader.next())
            let parent: String? = try reader.next()
            let revisionIsDeleted: Bool = try reader.next()
            let body: PostgresJSON? = try reader.next()
            let hasBody: Bool = try reader.next()
            let attachments: PostgresJSON? = try reader.next()
            guard let type = DocumentType(rawValue: type) else { continue }
            let key = DocumentKey(type, id)
            let stored = StoredRevision(
                key: key, revision: revision, parent: parent.flatMap { RevisionID($0) }, isDeleted: revisionIsDeleted,
                body: body?.bytes, hasBody: hasBody,
                attachments: try attachments.flatMap { try JSONValue(reading: $0.bytes).object }
                    .map(AttachmentName.accepted))
            documents[
                key, default: DocumentRevisions(leaves: leaves.compactMap { RevisionID($0) }, isDeleted: isDeleted)
            ]
            .revisions[revision] = stored
        }
        return documents
    }

    /// Returns the stored contents of a revision's attachments by name, if the client requested them inside the
    /// document.
    func files(
        of stored: StoredRevision, _ options: CouchDocumentWriter.Options, _ household: HouseholdID
    ) async throws -> [String: BlobID] {
        guard options.withData, let attachments = stored.attachments else { return [:] }
        var files: [String: BlobID] = [:]
        for member in attachments { files[member.name] = member.value["blob"]?.string.flatMap { BlobID($0) } }
        guard !files.isEmpty else { return [:] }
        let existing = Set(
            try await database.read(
                household,
                "SELECT id FROM blob WHERE household_id = \(household) AND id = ANY(\(files.values.sorted()))"
            ).decode(BlobID.self))
        return files.filter { existing.contains($0.value) }
    }

    /// Selects the revisions whose bodies are loaded.
    enum Bodies {
        case none, leaves
        /// The leaves and the given revisions.
        case named([RevisionID])
    }
}
