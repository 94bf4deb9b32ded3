import Domain
import JSON
import Postgres

/// References to documents that were deleted before a client's change arrived.
extension DocumentWriting {
    /// The types of documents from which optional references can be removed without changing the meaning of other
    /// fields. Budgets are not included, because a budget without its category would apply to all expenses.
    static let clearableTypes: Set<DocumentType> = [.receipt, .product, .category, .expense, .recurringExpense]

    /// A reference that the client has changed.
    private struct Reference {
        /// The path of the field, as in `DocumentMerge.LostField`.
        let path: String
        /// The list whose element has the reference; nil for the document itself.
        let list: String?
        /// The position of the element in the list.
        let index: Int
        let name: String
        let target: DocumentKey
    }

    /// Removes optional references to deleted documents, so that the client's other changes are stored. References to
    /// documents that never existed stay, and the document is refused.
    ///
    /// - Returns: the document, and the removed references.
    func removingDeletedReferences(
        from document: JSONObject, over stored: JSONObject?
    ) async throws -> (document: JSONObject, removed: [DocumentMerge.LostField]) {
        guard Self.clearableTypes.contains(key.type) else { return (document, []) }
        let references = Self.references(document, over: stored, DocumentSchema[key.type])
        guard !references.isEmpty else { return (document, []) }
        let deleted = try await DocumentKey.deleted(Set(references.map(\.target)), changes)
        var result = document
        var removed: [DocumentMerge.LostField] = []
        for reference in references where deleted.contains(reference.target) {
            Self.remove(reference, from: &result)
            removed.append(
                DocumentMerge.LostField(
                    field: reference.path, kept: LostValues.removedReference,
                    lost: .string(reference.target.description)))
        }
        return (result, removed)
    }

    /// Lists the optional references of the document and of its list elements that differ from the stored document.
    private static func references(
        _ document: JSONObject, over stored: JSONObject?, _ schema: DocumentSchema
    ) -> [Reference] {
        var found: [Reference] = []
        /// - Parameter place: the list and the position of `object` in it; nil for the document itself.
        func add(
            _ field: DocumentField, of object: JSONObject, over before: JSONObject?, path: String = "",
            _ place: (list: String, index: Int)? = nil
        ) {
            guard case .reference = field.shape, field.isOptional, field.writer == .client,
                let text = object[field.name]?.string, text != before?[field.name]?.string,
                let target = DocumentKey(text)
            else { return }
            found.append(
                Reference(
                    path: path + field.name, list: place?.list, index: place?.index ?? 0, name: field.name,
                    target: target))
        }
        for field in schema.fields {
            add(field, of: document, over: stored)
            guard case .parts(let key, let columns, _) = field.shape else { continue }
            let before = stored?[field.name]?.array ?? []
            for (index, part) in (document[field.name]?.array ?? []).enumerated() {
                guard let object = part.object, let id = object[key]?.string else { continue }
                let old = before.first { $0[key]?.string == id }?.object
                for column in columns {
                    add(column, of: object, over: old, path: "\(field.name)/\(id)/", (list: field.name, index: index))
                }
            }
        }
        return found
    }

    private static func remove(_ reference: Reference, from document: inout JSONObject) {
        guard let list = reference.list else {
            document[reference.name] = .null
            return
        }
        var parts = document[list]?.array ?? []
        guard parts.indices.contains(reference.index), var part = parts[reference.index].object else { return }
        part[reference.name] = .null
        parts[reference.index] = .object(part)
        document[list] = .array(parts)
    }
}
