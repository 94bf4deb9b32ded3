/// A key that a model type declares. Its closures take a pointer to a model of that type.
struct Field: Sendable {
    enum Kind: String {
        case text = "a text"
        case number = "a number"
        case flag = "a flag"
        case list = "a list"
        case html = "markup"
        case model = "a model"
        case optional = "an optional model"
        case optionalText = "an optional text"
    }

    typealias Write = @Sendable (UnsafeRawPointer, inout Output) -> Void
    typealias Test = @Sendable (UnsafeRawPointer) -> Bool
    typealias Visit = @Sendable (UnsafeRawPointer, (UnsafeRawPointer) -> Void) -> Void

    let name: String
    let kind: Kind
    var write: Write?
    var isTrue: Test?
    /// Calls a closure for each contained model: none, one or several.
    var visit: Visit?
    /// The fields of the contained models. A closure, because a model may contain models of its own type.
    var child: (@Sendable () -> FieldTable)?
    var count: (@Sendable (UnsafeRawPointer) -> Int)?
}

/// The fields of one model type.
final class FieldTable: Sendable {
    let type: ObjectIdentifier
    let name: String
    let fields: [String: Field]
    let duplicates: [String]

    init<Model>(_ model: Model.Type, _ list: [Field]) {
        type = ObjectIdentifier(model)
        // `_typeName` is faster than `String(describing:)`, which searches conformances.
        name = _typeName(model, qualified: false)
        fields = Dictionary(list.map { ($0.name, $0) }) { first, _ in first }
        duplicates = Dictionary(grouping: list, by: \.name).filter { $0.value.count > 1 }.keys.sorted()
    }

    /// The table for the elements of a list of texts. Its only key is `.`, for `{{.}}`.
    static let text = FieldTable(
        String.self,
        [
            Field(
                name: ".", kind: .text,
                write: { $1.writeEscaped($0.assumingMemoryBound(to: String.self).pointee) })
        ])
}

extension Field {
    /// Returns the field `inner` of the contained model as a field of the outer model, for `{{total.amount}}`. Returns
    /// nil if this field contains no model.
    func composed(with inner: Field) -> Field? {
        guard let visit else { return nil }
        var composed = Field(name: "\(name).\(inner.name)", kind: inner.kind)
        if let write = inner.write {
            composed.write = { model, output in visit(model) { write($0, &output) } }
        }
        if let isTrue = inner.isTrue {
            composed.isTrue = { model in
                var result = false
                visit(model) { result = isTrue($0) }
                return result
            }
        }
        if let innerVisit = inner.visit {
            composed.visit = { model, body in visit(model) { innerVisit($0, body) } }
        }
        if let count = inner.count {
            composed.count = { model in
                var result = 0
                visit(model) { result = count($0) }
                return result
            }
        }
        composed.child = inner.child
        return composed
    }

    /// Returns the property `any` or `count` of a list, such as `lines.any`; nil for other names and fields.
    func property(_ name: String) -> Field? {
        guard kind == .list, let count, let isTrue else { return nil }
        switch name {
        case "any": return Field(name: "\(self.name).any", kind: .flag, isTrue: isTrue)
        case "count": return Field(name: "\(self.name).count", kind: .number, write: { $1.write(count($0)) })
        default: return nil
        }
    }
}
