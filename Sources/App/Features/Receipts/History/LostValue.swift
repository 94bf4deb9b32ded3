import Domain
import JSON
import Postgres

/// A value of a document that a merge discarded, because another version had changed the same field. The value waits
/// until a member accepts or dismisses it.
struct LostValue: Sendable {
    let id: Identifier<Void>
    let document: DocumentKey
    /// The field's path, as in `DocumentMerge.LostField`.
    let field: String
    let value: JSONValue
    /// The client's revision that contained the value.
    let revision: String
    /// The author of the value; nil when unknown.
    let personName: String?
    let lostAt: PostgresInstant

    var schema: DocumentSchema { DocumentSchema[document.type] }
    var path: FieldPath { FieldPath(field, of: schema) }

    /// The maximum number of values on one page.
    private static let maximumValues: Int32 = 100

    /// The columns of `lost_value v` and its author `person p` that `init(_:)` decodes.
    static let columns: SQL = "v.id, v.document_type, v.document_id, v.field, v.lost, v.rev, p.name, v.lost_at"

    /// Selects the values that no member has accepted or dismissed yet.
    ///
    /// - Parameter condition: a condition on `lost_value v`.
    static func query(_ household: HouseholdID, _ condition: SQL) -> SQL {
        """
        SELECT \(columns) FROM lost_value v
        LEFT JOIN person p ON p.id = v.person_id
        WHERE v.household_id = \(household) AND v.settled_at IS NULL AND \(condition)
        ORDER BY v.lost_at DESC, v.id LIMIT \(maximumValues)
        """
    }

    /// A condition on `lost_value v`: the value belongs to the document.
    static func belongs(to key: DocumentKey) -> SQL {
        "v.document_type = \(key.type.rawValue) AND v.document_id = \(key.id)"
    }

    static func decode(_ rows: Rows) throws -> [LostValue] { try rows.compactMap { try LostValue($0) } }

    /// Decodes a row that begins with `columns`; nil for an unknown type of document.
    init?(_ row: Row) throws {
        let (id, type, document, field, value, revision, name, lostAt) = try row.decode(
            (Identifier<Void>, String, Identifier<Void>, String, PostgresJSON?, String, String?, PostgresInstant).self)
        guard let type = DocumentType(rawValue: type) else { return nil }
        self.id = id
        self.document = DocumentKey(type, document)
        self.field = field
        self.value = try value.map { try JSONValue(reading: $0.bytes, limits: SyncLimits.storedDocument) } ?? .null
        self.revision = revision
        personName = name
        self.lostAt = lostAt
    }

    /// Whether both values were lost together and belong to one group of fields, such as an amount and its currency.
    func isGrouped(with other: LostValue) -> Bool {
        guard let group = path.field(of: schema)?.group else { return id == other.id }
        return document == other.document && revision == other.revision && path.part == other.path.part
            && other.path.field(of: schema)?.group == group
    }
}
