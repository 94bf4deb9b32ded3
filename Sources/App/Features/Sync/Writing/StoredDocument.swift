import Domain
import JSON
import Postgres

/// A document and its revisions as stored when the transaction reads them.
struct StoredDocument {
    let key: DocumentKey
    /// The winning revision; nil for an unknown document.
    let winner: RevisionID?
    let isDeleted: Bool
    /// The only person who may read the document; nil if all members may.
    let privateTo: PersonID?
    /// The deletion that other members receive; nil if they may read the document, or never could.
    let hiding: RevisionID?
    let extra: DocumentExtra
    /// The revision tree. Only the body of the winner is loaded; for other revisions with a stored body, the body is an
    /// empty object.
    var tree: RevisionTree

    static func load(_ key: DocumentKey, _ changes: HouseholdTransaction) async throws -> StoredDocument {
        let type = key.type.rawValue
        let rows = try await changes.query(batch: [
            """
            SELECT generation, hash, deleted, private_to, hidden_rev, extra FROM sync_document
            WHERE household_id = \(changes.household) AND document_type = \(type) AND document_id = \(key.id)
            """,
            """
            SELECT d.generation, d.hash, d.parent, d.deleted, d.body IS NOT NULL,
                CASE WHEN s.document_id IS NOT NULL THEN d.body END, d.created_at
            FROM document_revision d
            LEFT JOIN sync_document s ON s.household_id = d.household_id AND s.document_type = d.document_type
                AND s.document_id = d.document_id AND s.generation = d.generation AND s.hash = d.hash
            WHERE d.household_id = \(changes.household) AND d.document_type = \(type) AND d.document_id = \(key.id)
            """,
        ])
        let found = try rows[0].first((Int64, String, Bool, PersonID?, String?, PostgresJSON?).self)
        var nodes: [RevisionID: RevisionTree.Node] = [:]
        for (generation, hash, parent, isDeleted, hasBody, body, created) in try rows[1].decode(
            (Int64, String, String?, Bool, Bool, PostgresJSON?, PostgresInstant).self)
        {
            nodes[RevisionID(generation: generation, hash: hash)] = RevisionTree.Node(
                parent: parent.flatMap { RevisionID($0) }, isDeleted: isDeleted,
                body: hasBody ? try body.map(object) ?? JSONObject() : nil, storedAt: created.microsecondsSince1970)
        }
        guard let (generation, hash, isDeleted, privateTo, hiding, extra) = found else {
            return StoredDocument(
                key: key, winner: nil, isDeleted: true, privateTo: nil, hiding: nil,
                extra: try DocumentExtra(stored: nil), tree: RevisionTree(nodes))
        }
        return StoredDocument(
            key: key, winner: RevisionID(generation: generation, hash: hash), isDeleted: isDeleted,
            privateTo: privateTo, hiding: hiding.flatMap { RevisionID($0) }, extra: try DocumentExtra(stored: extra),
            tree: RevisionTree(nodes))
    }

    private static func object(_ body: PostgresJSON) throws -> JSONObject {
        try JSONValue(reading: body.bytes, limits: SyncLimits.storedDocument).object ?? JSONObject()
    }

    /// - Throws: `DocumentFault` if only another person may read the document.
    func requireVisible(to person: PersonID) throws(DocumentFault) {
        guard privateTo == nil || privateTo == person else {
            throw DocumentFault("the document belongs to another person")
        }
    }

    /// Whether a revision with these ancestors (the parent first) descends from a revision that the other members
    /// received before the document became private. False for a revision after a deletion, because it would create the
    /// document again.
    func continuesShared(_ ancestors: [RevisionID]) -> Bool {
        guard let hiding else { return false }
        let shared = Set(tree.path(from: hiding).dropFirst())
        guard let place = ancestors.firstIndex(where: shared.contains) else { return false }
        return !ancestors[..<place].contains { tree[$0]?.isDeleted == true }
    }

    /// Loads the body of the newest common ancestor of the winner and a concurrent revision; nil if none is known.
    ///
    /// - Parameter ended: revisions that count as ancestors of `revision`.
    func base(
        of revision: RevisionID, ended: Set<RevisionID> = [], _ changes: HouseholdTransaction
    ) async throws -> JSONObject? {
        guard let winner, !tree.contains(winner, above: revision),
            let base = tree.base(of: revision, and: winner, ended: ended)
        else { return nil }
        let body = try await changes.query(
            """
            SELECT body FROM document_revision
            WHERE household_id = \(changes.household) AND document_type = \(key.type.rawValue)
                AND document_id = \(key.id) AND generation = \(base.generation) AND hash = \(base.hash)
            """
        ).first(PostgresJSON?.self)
        return try (body ?? nil).map(Self.object)
    }

    /// Returns the person who stored the revisions of the winner's branch since its common ancestor with `revision`.
    /// Ignores changes by the server. Nil if the revisions are from several persons.
    ///
    /// - Parameter ended: revisions that count as ancestors of `revision`.
    func author(
        since revision: RevisionID, ended: Set<RevisionID>, _ changes: HouseholdTransaction
    ) async throws -> PersonID? {
        guard let winner else { return nil }
        let common = ended.union(tree.path(from: revision))
        let branch = tree.path(from: winner).prefix { !common.contains($0) }
        let persons = try await changes.query(
            """
            SELECT DISTINCT person_id FROM document_revision
            WHERE household_id = \(changes.household) AND document_type = \(key.type.rawValue)
                AND document_id = \(key.id) AND person_id IS NOT NULL
                AND (generation, hash) IN (SELECT * FROM unnest(\(branch.map(\.generation)), \(branch.map(\.hash))))
            LIMIT 2
            """
        ).decode(PersonID.self)
        return persons.count == 1 ? persons[0] : nil
    }

    /// Adds a client's revision and those of its ancestors that are not known yet.
    mutating func add(
        _ incoming: IncomingDocument, as revision: RevisionID, _ ancestors: [RevisionID],
        _ changes: HouseholdTransaction
    ) async throws {
        let added = tree.add(
            revision, (incoming.isDeleted, incoming.isDeleted ? nil : incoming.body), ancestors: ancestors)
        let body = incoming.isDeleted ? nil : PostgresJSON(JSONValue.object(incoming.body).bytes)
        try await changes.query(
            """
            INSERT INTO document_revision
                (household_id, document_type, document_id, generation, hash, parent, deleted, body, person_id)
            SELECT \(changes.household), \(key.type.rawValue), \(key.id), n.generation, n.hash, n.parent,
                n.place = 1 AND \(incoming.isDeleted), CASE WHEN n.place = 1 THEN \(body) END, \(changes.person)
            FROM unnest(\(added.map(\.revision.generation)), \(added.map(\.revision.hash)),
                \(added.map { $0.parent?.description })) WITH ORDINALITY AS n (generation, hash, parent, place)
            """)
    }

    /// Adds the deletions with which the client has ended other branches, unless they are known.
    mutating func addBranchEnds(of incoming: IncomingDocument, _ changes: HouseholdTransaction) async throws {
        for (end, ancestors) in incoming.branchEnds.sorted(by: { $0.key < $1.key }) where tree[end] == nil {
            let deletion = IncomingDocument(
                key: key, origin: .replica(end, ancestors: ancestors), isDeleted: true, body: JSONObject())
            try await add(deletion, as: end, ancestors, changes)
        }
    }

    /// Adds a deletion to the losing branch of a merge, so that the winner is the only leaf that is not a deletion, on
    /// every replica.
    mutating func deleteBranch(_ loser: RevisionID, _ changes: HouseholdTransaction) async throws {
        let end = Self.end(of: loser)
        tree.add(end, (true, nil), ancestors: [loser])
        try await changes.query(
            """
            INSERT INTO document_revision (household_id, document_type, document_id, generation, hash, parent, deleted)
            VALUES (\(changes.household), \(key.type.rawValue), \(key.id), \(end.generation), \(end.hash),
                \(loser.description), true)
            """)
    }

    /// The deletion that ends a losing branch.
    static func end(of loser: RevisionID) -> RevisionID {
        RevisionID(generation: loser.generation + 1, hash: RevisionHash.make("\(loser) merged"))
    }

    /// Makes a revision the winner. Later changes in the same transaction create its child.
    func setWinner(
        _ winner: RevisionID, _ extra: DocumentExtra, _ changes: HouseholdTransaction
    ) async throws {
        let node = tree[winner]
        let body = node?.body.map { PostgresJSON(JSONValue.object($0).bytes) }
        let leaves = ([winner] + tree.leaves.filter { $0 != winner }).map(\.description)
        try await changes.query(
            """
            INSERT INTO sync_document AS o
                (household_id, document_type, document_id, seq, generation, hash, deleted, content, leaves, extra)
            VALUES (\(changes.household), \(key.type.rawValue), \(key.id), 0, \(winner.generation), \(winner.hash),
                \(node?.isDeleted ?? false), md5(\(body)::jsonb::text), \(leaves), \(extra.stored))
            ON CONFLICT (household_id, document_type, document_id) DO UPDATE
            SET generation = excluded.generation, hash = excluded.hash, deleted = excluded.deleted,
                content = excluded.content, leaves = excluded.leaves, extra = excluded.extra
            """)
    }
}
