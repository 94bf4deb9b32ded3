import FoundationEssentials

extension JSONValue {
    /// Decodes a value, with the same checks as `init(reading:)`.
    ///
    /// - Throws: `JSONError`; `wrongShape` with the path for a missing member or a wrong type.
    package static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()
    ) throws(JSONError) -> Value {
        let bytes = Array(bytes)
        _ = try JSONValue(reading: bytes, limits: limits)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw JSONError(.wrongShape, offset: 0, path: error.path)
        } catch {
            throw JSONError(.wrongShape, offset: 0)
        }
    }

    /// Encodes a value. Members are sorted by name, so that equal values have equal bytes.
    ///
    /// - Throws: `EncodingError`, such as for a Double that is not a number.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }
}

extension DecodingError {
    fileprivate var path: String {
        let keys: [any CodingKey] =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: []
            }
        return keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
