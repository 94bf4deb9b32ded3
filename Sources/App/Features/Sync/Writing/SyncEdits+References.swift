import Domain
import JSON
import Postgres

/// Restores references that were removed because their target was deleted. They are restored when the target is created
/// again; if this fails, when a client or a form next changes the document that had the reference.
extension SyncEdits {
    /// A removed reference that no member has accepted or dismissed. It is a row of `lost_value`.
    private struct RemovedReference {
        let id: Identifier<Void>
        let path: FieldPath
        let target: DocumentKey

        var value: JSONValue { .string(target.description) }
    }

    /// The maximum number of references that are restored at once.
    private static let maximumReferences: Int32 = 1_000

    /// Restores the references to a document that were removed while the document was deleted. Does not change fields
    /// that have another value now. Skips documents that cannot be changed.
    ///
    /// - Parameter deferred: documents that are left unchanged, because the same request stores them later.
    func restoreReferences(
        to target: DocumentKey, except deferred: Set<DocumentKey> = [], _ member: Member,
        _ changes: HouseholdTransaction
    ) async throws {
        for (key, references) in try await removedReferences(to: target, changes) where !deferred.contains(key) {
            try await attemptToRestore(references, in: key, member, changes)
        }
    }

    /// Restores the removed references of a document if their targets exist now.
    ///
    /// - Parameter before: the document before the client changed it. References in fields that had another value do
    ///   not change.
    func restoreReferences(
        of key: DocumentKey, before: JSONObject, _ member: Member, _ changes: HouseholdTransaction
    ) async throws {
        guard DocumentWriting.clearableTypes.contains(key.type) else { return }
        let references = try await removedReferences(of: key, changes).filter {
            [.null, $0.value].contains($0.path.value(in: before))
        }
        guard !references.isEmpty else { return }
        let deleted = try await DocumentKey.deleted(Set(references.map(\.target)), changes)
        try await attemptToRestore(references.filter { !deleted.contains($0.target) }, in: key, member, changes)
    }

    /// Restores the removed references of documents that a form has changed, if their targets exist now. Runs after the
    /// transaction of the form, because the newest revisions do not contain the values of the form before.
    ///
    /// Ignores errors, because the changes of the form are already stored. The next change of the document repeats the
    /// attempt.
    func restoreReferences(of documents: [RestorableDocument], _ household: HouseholdID, by person: PersonID) async {
        // Only the household and the person of the member are used when documents are written.
        let member = Member(
            household: household, person: person, name: "", role: .member, language: .german, country: .austria,
            zone: nil, session: .new(), csrfSecret: [])
        _ = try? await database.write(household, by: person) { changes in
            changes.restoresReferences = false
            for document in documents {
                guard let before = try await document.body(changes) else { continue }
                try await restoreReferences(of: document.key, before: before, member, changes)
            }
        }
    }

    /// Restores references of a document. If the document cannot be changed, the references stay removed.
    private func attemptToRestore(
        _ references: [RemovedReference], in key: DocumentKey, _ member: Member, _ changes: HouseholdTransaction
    ) async throws {
        guard !references.isEmpty else { return }
        do {
            try await changes.attempt { try await restore(references, in: key, member, changes) }
        } catch is DocumentFault {
            return
        } catch is Refusal {
            return
        } catch let error as PostgresError where DocumentFault(refused: error) != nil {
            return
        }
    }

    private func restore(
        _ references: [RemovedReference], in key: DocumentKey, _ member: Member, _ changes: HouseholdTransaction
    ) async throws {
        let newest = try await newest(key, changes)
        var edited = newest.body
        for reference in references where reference.path.value(in: edited) == .null {
            edited = reference.path.setting(reference.value, in: edited) ?? edited
        }
        if edited != newest.body {
            let lostFields = try await replace(newest, by: edited, member, changes)
            guard lostFields.isEmpty else { throw DocumentFault("\(key): the reference could not be stored") }
        }
        let restored = references.filter { $0.path.value(in: edited) == $0.value }
        let replaced = references.filter { ![.null, $0.value].contains($0.path.value(in: edited)) }
        // If the field has another value, the reference becomes an ordinary conflict, and only a member can settle it.
        let keeping: [SQL] = replaced.map { reference in
            """
            UPDATE lost_value SET kept = \(PostgresJSON(reference.path.value(in: edited).bytes))
            WHERE household_id = \(changes.household) AND id = \(reference.id)
            """
        }
        let settling: SQL = """
            UPDATE lost_value SET settled_at = now()
            WHERE household_id = \(changes.household) AND id = ANY(\(restored.map(\.id)))
            """
        try await changes.query(batch: keeping + [settling])
    }

    // MARK: Queries

    /// A condition on `lost_value v`: a removed reference that no member has accepted or dismissed.
    static func isWaiting(_ household: HouseholdID) -> SQL {
        """
        v.household_id = \(household) AND v.settled_at IS NULL
            AND v.kept = \(PostgresJSON(LostValues.removedReference.bytes))::jsonb
        """
    }

    private func removedReferences(
        to target: DocumentKey, _ changes: HouseholdTransaction
    ) async throws -> [DocumentKey: [RemovedReference]] {
        let rows = try await changes.query(
            """
            SELECT v.id, v.document_type, v.document_id, v.field FROM lost_value v
            JOIN sync_document s ON s.household_id = v.household_id AND s.document_type = v.document_type
                AND s.document_id = v.document_id AND NOT s.deleted
                AND (s.private_to IS NULL OR s.private_to = \(changes.person))
            WHERE \(Self.isWaiting(changes.household)) AND v.lost = to_jsonb(\(target.description)::text)
            ORDER BY v.lost_at DESC, v.id LIMIT \(Self.maximumReferences)
            """)
        var references: [DocumentKey: [RemovedReference]] = [:]
        for (id, type, document, field) in try rows.decode(
            (Identifier<Void>, String, Identifier<Void>, String).self)
        {
            guard let type = DocumentType(rawValue: type) else { continue }
            references[DocumentKey(type, document), default: []].append(
                RemovedReference(id: id, path: FieldPath(field, of: DocumentSchema[type]), target: target))
        }
        return references
    }

    private func removedReferences(
        of key: DocumentKey, _ changes: HouseholdTransaction
    ) async throws -> [RemovedReference] {
        let rows = try await changes.query(
            """
            SELECT v.id, v.field, v.lost #>> '{}' FROM lost_value v
            WHERE \(Self.isWaiting(changes.household)) AND \(LostValue.belongs(to: key))
            ORDER BY v.lost_at DESC, v.id LIMIT \(Self.maximumReferences)
            """)
        return try rows.decode((Identifier<Void>, String, String?).self).compactMap { id, field, target in
            target.flatMap { DocumentKey($0) }.map {
                RemovedReference(id: id, path: FieldPath(field, of: DocumentSchema[key.type]), target: $0)
            }
        }
    }
}

extension DocumentKey {
    /// Returns those of the documents that are deleted.
    static func deleted(_ keys: Set<DocumentKey>, _ changes: HouseholdTransaction) async throws -> Set<DocumentKey> {
        let keys = Array(keys)
        let rows = try await changes.query(
            """
            SELECT s.document_type, s.document_id
            FROM unnest(\(keys.map(\.type.rawValue)), \(keys.map(\.id))) AS n (type, id)
            JOIN sync_document s ON s.household_id = \(changes.household) AND s.document_type = n.type
                AND s.document_id = n.id AND s.deleted
            """)
        return Set(
            try rows.decode((String, Identifier<Void>).self).compactMap { type, id in
                DocumentType(rawValue: type).map { DocumentKey($0, id) }
            })
    }
}
