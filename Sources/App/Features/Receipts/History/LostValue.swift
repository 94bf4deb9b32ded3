import Domain
import JSON
import Postgres

/// A value of a receipt that lost a merge and was neither taken nor left since.
struct LostValue: Sendable {
    let id: Identifier<Void>
    /// As `DocumentMerge.Lost` names it.
    let field: String
    let value: JSONValue
    /// Whose value it is; nil if that is not known.
    let personName: String?
    let at: PostgresInstant

    var place: FieldPlace { FieldPlace(field) }

    /// Values that one page shows at most.
    private static let most: Int32 = 100

    static func query(_ receipt: ReceiptID, _ household: HouseholdID, _ id: Identifier<Void>? = nil) -> SQL {
        """
        SELECT v.id, v.field, v.lost, p.name, v.lost_at FROM lost_value v
        LEFT JOIN person p ON p.id = v.person_id
        WHERE v.household_id = \(household) AND v.document_type = 'receipt' AND v.document_id = \(receipt)
            AND v.settled_at IS NULL AND v.id = coalesce(\(id), v.id)
        ORDER BY v.lost_at DESC, v.id LIMIT \(most)
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

    /// The document with this value instead of its own; nil if the line is gone.
    func replacing(in body: JSONObject) -> JSONObject? {
        var result = body
        let place = place
        guard let key = place.line else {
            result[field] = value
            return result
        }
        var lines = body["lines"]?.array ?? []
        guard let index = lines.firstIndex(where: { $0["id"]?.string == key }), var line = lines[index].object else {
            return nil
        }
        if place.name == "deleted" {
            lines.remove(at: index)
        } else {
            line[place.name] = value
            lines[index] = .object(line)
        }
        result["lines"] = .array(lines)
        return result
    }
}
