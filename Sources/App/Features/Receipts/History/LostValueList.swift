import Domain
import JSON
import Postgres

/// The values of a household's documents that were discarded in merges. Values of receipts are left out, because the
/// pages of the receipts show them.
struct LostValueList: Sendable {
    /// A value and its document.
    struct Entry: Sendable {
        let value: LostValue
        let body: JSONObject
        /// The generation of the document's newest revision.
        let revision: Int64
    }

    let entries: [Entry]
    let categories: Categories
    /// The names of the documents and persons to which the values refer. The keys are references such as
    /// `person:<uuid>`.
    let names: [String: String]
    let currency: Currency

    /// A condition on `lost_value v`: the value belongs to the list.
    private static func isListed(for member: Member) -> SQL {
        """
        v.document_type <> 'receipt' AND EXISTS (SELECT 1 FROM sync_document s
            WHERE s.household_id = v.household_id AND s.document_type = v.document_type
                AND s.document_id = v.document_id AND NOT s.deleted AND \(SyncDocumentQueries.isVisible(member)))
        """
    }

    /// Whether the list has a value.
    static func hasValues(_ member: Member, _ database: Database) async throws -> Bool {
        let rows = try await database.read(
            member.household,
            """
            SELECT 1 FROM lost_value v
            WHERE v.household_id = \(member.household) AND v.settled_at IS NULL AND \(isListed(for: member)) LIMIT 1
            """)
        return !rows.isEmpty
    }

    /// Loads the newest values.
    static func load(_ member: Member, _ database: Database) async throws -> LostValueList {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                LostValue.query(household, isListed(for: member)), Categories.query(household),
                "SELECT currency FROM household WHERE id = \(household)",
            ])
        let values = try LostValue.decode(rows[0])
        let documents = try await bodies(values.map(\.document), member, database)
        let entries = values.compactMap { value -> Entry? in
            guard let (body, generation) = documents[value.document] else { return nil }
            return Entry(value: value, body: body, revision: generation)
        }
        let references = Set(entries.flatMap(Self.references))
        let targets = references.compactMap { DocumentKey($0) }
        var names: [String: String] = [:]
        for (key, target) in try await bodies(targets, member, database) {
            names[key.description] = target.body.documentName
        }
        let persons = references.compactMap { DocumentSchema.person(.string($0)) }
        let people = try await database.read(
            household,
            """
            SELECT p.id, p.name FROM membership m JOIN person p ON p.id = m.person_id
            WHERE m.household_id = \(household) AND m.person_id = ANY(\(persons))
            """)
        for (id, name) in try people.decode((PersonID, String).self) { names["person:\(id)"] = name }
        return LostValueList(
            entries: entries, categories: try Categories(rows[1]), names: names,
            currency: try rows[2].first(Currency.self) ?? .eur)
    }

    /// Loads the newest revisions of documents that the member may read.
    private static func bodies(
        _ keys: [DocumentKey], _ member: Member, _ database: Database
    ) async throws -> [DocumentKey: (body: JSONObject, generation: Int64)] {
        guard !keys.isEmpty else { return [:] }
        let rows = try await database.read(
            member.household,
            """
            SELECT s.document_type, s.document_id, d.body, s.generation
            FROM (SELECT DISTINCT * FROM unnest(\(keys.map(\.type.rawValue)), \(keys.map(\.id)))) AS n (type, id)
            JOIN sync_document s ON s.household_id = \(member.household) AND s.document_type = n.type
                AND s.document_id = n.id
            JOIN document_revision d ON d.household_id = s.household_id AND d.document_type = s.document_type
                AND d.document_id = s.document_id AND d.generation = s.generation AND d.hash = s.hash
            WHERE d.body IS NOT NULL AND \(SyncDocumentQueries.isVisible(member))
            """)
        var documents: [DocumentKey: (body: JSONObject, generation: Int64)] = [:]
        for (type, id, body, generation) in try rows.decode((String, Identifier<Void>, PostgresJSON, Int64).self) {
            guard let type = DocumentType(rawValue: type),
                let object = try JSONValue(reading: body.bytes, limits: SyncLimits.storedDocument).object
            else { continue }
            documents[DocumentKey(type, id)] = (object, generation)
        }
        return documents
    }

    /// Returns the texts in the value, in the stored value and in the path. Each text may be a reference to another
    /// document.
    private static func references(_ entry: Entry) -> [String] {
        let path = entry.value.path
        let values = [entry.value.value, path.value(in: entry.body)]
        let listed = values.flatMap { $0.array ?? [] }
        return (values + listed).compactMap(\.string) + (path.part.map { [$0.value] } ?? [])
    }
}

extension JSONObject {
    /// The text by which people recognise the document; nil if it has none.
    var documentName: String? {
        ["name", "what", "printed_name", "payee", "contains"].lazy.compactMap { self[$0]?.string }.first { !$0.isEmpty }
    }
}
