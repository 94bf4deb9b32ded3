import Domain
import JSON
import Postgres

/// A value of a receipt that a merge did not keep, because another version had changed the same field. It waits until a
/// member accepts or dismisses it.
struct LostValue: Sendable {
    let id: Identifier<Void>
    /// The field's path, as in `DocumentMerge.LostField`.
    let field: String
    let value: JSONValue
    /// The author of the value; nil when unknown.
    let personName: String?
    let at: PostgresInstant

    var path: FieldPath { FieldPath(field) }

    /// The highest number of values on one page.
    private static let mostValues: Int32 = 100

    static func query(_ receipt: ReceiptID, _ household: HouseholdID, _ id: Identifier<Void>? = nil) -> SQL {
        """
        SELECT v.id, v.field, v.lost, p.name, v.lost_at FROM lost_value v
        LEFT JOIN person p ON p.id = v.person_id
        WHERE v.household_id = \(household) AND v.document_type = 'receipt' AND v.document_id = \(receipt)
            AND v.settled_at IS NULL AND v.id = coalesce(\(id), v.id)
        ORDER BY v.lost_at DESC, v.id LIMIT \(mostValues)
        """
    }

    static func decode(_ rows: Rows) throws -> [LostValue] {
        try rows.decode((Identifier<Void>, String, PostgresJSON?, String?, PostgresInstant).self).map {
            LostValue(
                id: $0.0, field: $0.1,
                value: try $0.2.map { try JSONValue(reading: $0.bytes, limits: SyncLimits.stored) } ?? .null,
                personName: $0.3, at: $0.4)
        }
    }

    /// Returns the document with this value in place of the stored one; nil when the line no longer exists.
    ///
    /// If the value is the deletion of a line, removes the line.
    func replacing(in body: JSONObject) -> JSONObject? {
        var result = body
        let path = path
        guard let key = path.line else {
            result[field] = value
            return result
        }
        var lines = body["lines"]?.array ?? []
        guard let index = lines.firstIndex(where: { $0["id"]?.string == key }), var line = lines[index].object else {
            return nil
        }
        if path.name == "deleted" {
            lines.remove(at: index)
        } else {
            line[path.name] = value
            lines[index] = .object(line)
        }
        result["lines"] = .array(lines)
        return result
    }
}
