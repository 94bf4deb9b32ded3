import Domain
import JSON
import Postgres

/// A revision of a receipt that was merged into another revision.
struct MergedBranch: Sendable {
    let personName: String?
    let storedAt: PostgresInstant
    /// The common ancestor of both revisions.
    let before: ReviewDraft
    let after: ReviewDraft
    /// The fields whose values the merge discarded, including those that were accepted or dismissed since.
    let lost: Set<String>

    /// The maximum number of merges on one page.
    private static let maximumMerges = 5
    /// The maximum number of revisions of one receipt that are searched for merges.
    private static let maximumRevisions: Int32 = 2_000

    /// Loads the merges, newest first.
    static func load(_ receipt: ReceiptID, _ household: HouseholdID, _ database: Database) async throws
        -> [MergedBranch]
    {
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT generation, hash, parent, deleted, body IS NOT NULL FROM document_revision
                WHERE household_id = \(household) AND document_type = 'receipt' AND document_id = \(receipt)
                ORDER BY generation DESC, hash LIMIT \(maximumRevisions)
                """,
                """
                SELECT generation, hash FROM sync_document
                WHERE household_id = \(household) AND document_type = 'receipt' AND document_id = \(receipt)
                """,
                """
                SELECT field, lost FROM lost_value
                WHERE household_id = \(household) AND document_type = 'receipt' AND document_id = \(receipt)
                ORDER BY lost_at DESC LIMIT 500
                """,
            ])
        var nodes: [RevisionID: RevisionTree.Node] = [:]
        // A merge ends the other branch with a deletion revision. The hash of that revision is computed from the last
        // revision of the branch.
        var branchEnds: [RevisionID] = []
        for (generation, hash, parent, isDeleted, hasBody) in try rows[0].decode(
            (Int64, String, String?, Bool, Bool).self)
        {
            let parent = parent.flatMap { RevisionID($0) }
            nodes[RevisionID(generation: generation, hash: hash)] = RevisionTree.Node(
                parent: parent, isDeleted: isDeleted, body: hasBody ? JSONObject() : nil)
            if isDeleted, let parent, RevisionHash.make("\(parent) merged") == hash { branchEnds.append(parent) }
        }
        guard !branchEnds.isEmpty, let head = try rows[1].first((Int64, String).self) else { return [] }
        let tree = RevisionTree(nodes)
        let trunk = Set(tree.path(from: RevisionID(generation: head.0, hash: head.1)))
        var branches: [MergedBranch] = []
        let lostFields = try rows[2].decode((String, PostgresJSON?).self)
        for end in branchEnds.prefix(maximumMerges) {
            guard let base = tree.path(from: end).first(where: { trunk.contains($0) && tree[$0]?.body != nil }),
                let branch = try await branch(end, base, lostFields, receipt, household, database)
            else { continue }
            branches.append(branch)
        }
        return branches
    }

    /// Loads the end and the common ancestor of one branch; nil if a body is missing.
    private static func branch(
        _ end: RevisionID, _ base: RevisionID, _ lost: [(String, PostgresJSON?)], _ receipt: ReceiptID,
        _ household: HouseholdID, _ database: Database
    ) async throws -> MergedBranch? {
        let rows = try await database.read(
            household,
            batch: [base, end].map { revision in
                """
                SELECT d.body, p.name, d.created_at FROM document_revision d LEFT JOIN person p ON p.id = d.person_id
                WHERE d.household_id = \(household) AND d.document_type = 'receipt' AND d.document_id = \(receipt)
                    AND d.generation = \(revision.generation) AND d.hash = \(revision.hash)
                """
            })
        let versions = try rows.map { try $0.first((PostgresJSON?, String?, PostgresInstant).self) }
        guard let before = versions[0]?.0, let (body, name, storedAt) = versions[1], let body else { return nil }
        func object(_ json: PostgresJSON) throws -> JSONObject {
            try JSONValue(reading: json.bytes, limits: SyncLimits.storedDocument).object ?? JSONObject()
        }
        let (old, new) = (try object(before), try object(body))
        let fields = try lost.filter { field, value in
            guard let value else { return false }
            return try JSONValue(reading: value.bytes, limits: SyncLimits.storedDocument)
                == FieldPath(field, of: .receipt).value(in: new)
        }.map(\.0)
        return MergedBranch(
            personName: name, storedAt: storedAt, before: ReviewDraft(document: old), after: ReviewDraft(document: new),
            lost: Set(fields))
    }
}
