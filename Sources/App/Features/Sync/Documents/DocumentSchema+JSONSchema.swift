import Domain
import JSON

extension DocumentSchema {
    /// The published schema, as JSON Schema draft 2020-12.
    ///
    /// Fields that only the server writes are `readOnly` and not required. Additional fields are allowed.
    var jsonSchema: JSONValue {
        var schema = Self.object(fields)
        var document: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .string(address),
            "title": .string(type.rawValue), "description": .string(summary),
        ]
        var properties: JSONObject = ["_id": ["type": "string", "pattern": .string("^\(type.rawValue):\(Self.uuid)$")]]
        for member in schema["properties"]?.object ?? JSONObject() { properties[member.name] = member.value }
        properties["type"] = ["const": .string(type.rawValue)]
        schema["properties"] = .object(properties)
        for member in schema { document[member.name] = member.value }
        if !isWritable { document["readOnly"] = true }
        return .object(document)
    }

    /// The path of the published schema, which is also its `$id`.
    var address: String { "/api/v1/schemas/\(type.rawValue)-\(Self.version).json" }

    private static let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

    private static func object(_ fields: [DocumentField]) -> JSONObject {
        var properties = JSONObject()
        for field in fields {
            var schema = schema(field.shape)
            if field.isOptional, let type = schema["type"] { schema["type"] = [type, "null"] }
            if field.isOptional, let values = schema["enum"]?.array { schema["enum"] = .array(values + [.null]) }
            if field.writer == .server { schema["readOnly"] = true }
            properties[field.name] = .object(schema)
        }
        let required = fields.filter { $0.writer != .server && !$0.isOptional }.map { JSONValue.string($0.name) }
        var object: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { object["required"] = .array(required) }
        return object
    }

    private static func schema(_ shape: DocumentField.Shape) -> JSONObject {
        switch shape {
        case .text(let minimum, let maximum):
            var schema: JSONObject = ["type": "string", "maxLength": .integer(maximum)]
            if minimum > 0 { schema["minLength"] = .integer(minimum) }
            return schema
        case .integer(let range):
            return [
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ]
        case .bool: return ["type": "boolean"]
        case .day: return ["type": "string", "format": "date"]
        case .time: return ["type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9](:[0-5][0-9])?$"]
        case .instant: return ["type": "string", "format": "date-time"]
        case .choice(let names): return ["enum": .array(names.map { .string($0) })]
        case .reference(let type):
            return ["type": "string", "pattern": .string("^\(type.rawValue):\(uuid)$")]
        case .person: return ["type": "string", "pattern": .string("^person:\(uuid)$")]
        case .identifier: return ["type": "string", "maxLength": 60]
        case .list(let element, let maximum):
            return ["type": "array", "items": .object(schema(element)), "maxItems": .integer(maximum)]
        case .parts(_, let fields, let maximum):
            return ["type": "array", "items": .object(object(fields)), "maxItems": .integer(maximum)]
        case .anything: return [:]
        }
    }
}
