import HTTP
import JSON

/// The API's OpenAPI document. Its file is in the folder of the templates; tests compare it with the routes.
struct APIDescription: Sendable {
    let bytes: [UInt8]
    let tag: EntityTag
    let groups: [APIReferencePage.Group]

    private static let limits = JSONLimits(size: 1 << 20, depth: 64)

    /// - Throws: `ConfigError` if the file is missing or malformed.
    init(folder: String) throws(ConfigError) {
        let path = folder + "/api/openapi.json"
        guard let bytes = FileContent.read(path, limit: Self.limits.size) else {
            throw ConfigError(description: "cannot read \(path), or it is larger than 1 MiB")
        }
        do throws(JSONError) {
            let document = try JSONValue(reading: bytes, limits: Self.limits)
            self.bytes = bytes
            tag = EntityTag(hashing: bytes)
            groups = Self.groups(document)
        } catch {
            throw ConfigError(description: "\(path): \(error)")
        }
    }

    /// Groups the operations by tag, in the order of the document.
    private static func groups(_ document: JSONValue) -> [APIReferencePage.Group] {
        var names: [String] = []
        var operations: [String: [APIReferencePage.Operation]] = [:]
        for path in document["paths"]?.object?.members ?? [] {
            for member in path.value.object?.members ?? [] {
                let tag = member.value["tags"]?.array?.first?.string ?? ""
                if operations[tag] == nil { names.append(tag) }
                operations[tag, default: []].append(
                    APIReferencePage.Operation(member.name, path.name, member.value, document))
            }
        }
        return names.map { APIReferencePage.Group(name: $0, operations: operations[$0] ?? []) }
    }
}

extension JSONValue {
    /// Follows a local reference such as `#/components/schemas/Receipt`; returns other values unchanged.
    func resolved(in document: JSONValue) -> JSONValue {
        guard let reference = self["$ref"]?.string else { return self }
        return reference.split(separator: "/").dropFirst().reduce(document) { value, name in
            value[String(name)] ?? .null
        }
    }

    /// The JSON text, indented by two spaces.
    func indented(_ depth: Int = 0) -> String {
        let (inner, outer) = (String(repeating: "  ", count: depth + 1), String(repeating: "  ", count: depth))
        switch self {
        case .array(let values) where !values.isEmpty:
            return "[\n" + values.map { inner + $0.indented(depth + 1) }.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let object) where !object.isEmpty:
            let members = object.members.map { member in
                "\(inner)\(JSONValue.string(member.name).compact): \(member.value.indented(depth + 1))"
            }
            return "{\n" + members.joined(separator: ",\n") + "\n\(outer)}"
        default: return compact
        }
    }

    private var compact: String {
        var json = JSONWriter()
        json.value(self)
        return json.text
    }
}
