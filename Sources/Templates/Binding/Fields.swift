/// The layout's model for a page without layout, or the model of a section without data.
package struct NoModel: PageModel {
    package init() {}
    package static let fields = Fields<Self> { _ in }
}

/// Markup that the program generates, such as a chart or a form field. All other values are escaped.
package struct Markup: Sendable, Hashable {
    /// The HTML, which is not escaped.
    package let html: String

    /// - Parameter html: well-formed HTML in which all values are escaped.
    package init(trusted html: String) { self.html = html }
}

/// The keys of a model with their types.
package struct Fields<Model>: Sendable {
    let table: FieldTable

    /// Declares the fields. Two fields of the same name are an error that is reported when the first page with this
    /// model is registered.
    package init(_ declare: (inout FieldList<Model>) -> Void) {
        var list = FieldList<Model>()
        declare(&list)
        table = FieldTable(Model.self, list.fields)
    }
}

/// The list to which fields are added by one statement each, because the compiler checks statements faster than one
/// large expression.
package struct FieldList<Model> {
    fileprivate var fields: [Field] = []

    /// Declares text, escaped when shown.
    package mutating func text(_ name: String, _ value: @escaping @Sendable (Model) -> String) {
        let reader = Reader(value: value)
        fields.append(Field(name: name, kind: .text, write: { $1.writeEscaped(reader($0)) }))
    }

    /// Declares optional text: `{{note}}` shows it or nothing; inside `{{#note}}…{{/note}}` it is `{{.}}`.
    package mutating func optionalText(_ name: String, _ value: @escaping @Sendable (Model) -> String?) {
        let reader = Reader(value: value)
        fields.append(
            Field(
                name: name, kind: .optionalText,
                write: { if let text = reader($0) { $1.writeEscaped(text) } },
                isTrue: { reader($0) != nil },
                visit: { model, body in
                    if let text = reader(model) {
                        withUnsafePointer(to: text) { body(UnsafeRawPointer($0)) }
                    }
                },
                child: { .text }))
    }

    /// Declares markup. Templates insert it with three braces; two braces are an error.
    package mutating func html(_ name: String, _ value: @escaping @Sendable (Model) -> Markup) {
        let reader = Reader(value: value)
        fields.append(Field(name: name, kind: .html, write: { $1.writeRaw(reader($0).html) }))
    }

    /// Declares an integer, shown in plain digits. Declare numbers with grouping or signs as text.
    package mutating func number(_ name: String, _ value: @escaping @Sendable (Model) -> Int) {
        let reader = Reader(value: value)
        fields.append(Field(name: name, kind: .number, write: { $1.write(reader($0)) }))
    }

    /// Declares a condition for `{{#name}}` and `{{^name}}`.
    package mutating func flag(_ name: String, _ value: @escaping @Sendable (Model) -> Bool) {
        let reader = Reader(value: value)
        fields.append(Field(name: name, kind: .flag, isTrue: { reader($0) }))
    }

    /// Declares a list of models, repeated by `{{#name}}`; `name.any` is a flag and `name.count` a number.
    package mutating func list<Element: PageModel>(_ name: String, _ values: @escaping @Sendable (Model) -> [Element]) {
        fields.append(list(name, values) { Element.fields.table })
    }

    /// Declares a list of texts, repeated by `{{#name}}{{.}}{{/name}}`; `name.any` is a flag and `name.count` a number.
    package mutating func texts(_ name: String, _ values: @escaping @Sendable (Model) -> [String]) {
        fields.append(list(name, values) { .text })
    }

    /// Declares a contained model: `{{#total}}{{amount}}{{/total}}` or `{{total.amount}}`.
    package mutating func model<Child: PageModel>(_ name: String, _ value: @escaping @Sendable (Model) -> Child) {
        let reader = Reader(value: value)
        fields.append(
            Field(
                name: name, kind: .model,
                visit: { model, body in
                    withUnsafePointer(to: reader(model)) { body(UnsafeRawPointer($0)) }
                },
                child: { Child.fields.table }))
    }

    /// Declares an optional model: `{{#shop}}…{{/shop}}{{^shop}}…{{/shop}}`.
    package mutating func optional<Child: PageModel>(_ name: String, _ value: @escaping @Sendable (Model) -> Child?) {
        let reader = Reader(value: value)
        fields.append(
            Field(
                name: name, kind: .optional,
                isTrue: { reader($0) != nil },
                visit: { model, body in
                    if let child = reader(model) {
                        withUnsafePointer(to: child) { body(UnsafeRawPointer($0)) }
                    }
                },
                child: { Child.fields.table }))
    }

    private func list<Element>(
        _ name: String, _ values: @escaping @Sendable (Model) -> [Element],
        child: @escaping @Sendable () -> FieldTable
    ) -> Field {
        let reader = Reader(value: values)
        return Field(
            name: name, kind: .list,
            isTrue: { !reader($0).isEmpty },
            visit: { model, body in
                reader(model).withUnsafeBufferPointer { elements in
                    guard var element = elements.baseAddress else { return }
                    for _ in 0..<elements.count {
                        body(UnsafeRawPointer(element))
                        element += 1
                    }
                }
            },
            child: child,
            count: { reader($0).count })
    }

}

/// Reads a value of a model through a pointer, without copying the model as a generic `pointee` does.
///
/// The pointer must be to a model of the declaring type. The binder ensures that.
private struct Reader<Model: ~Copyable, Value>: Sendable {
    let value: @Sendable (borrowing Model) -> Value

    func callAsFunction(_ pointer: UnsafeRawPointer) -> Value {
        value(pointer.assumingMemoryBound(to: Model.self).pointee)
    }
}
