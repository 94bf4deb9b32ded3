/// What a template may show: a value whose type declares its keys.
///
/// ```swift
/// struct ReceiptRow: PageModel {
///     let store: String
///     let isOffer: Bool
///     let lines: [Line]
///     static let fields = Fields<Self> { f in
///         f.text("store", \.store)
///         f.flag("isOffer", \.isOffer)
///         f.list("lines", \.lines)
///     }
/// }
/// ```
package protocol PageModel: Sendable {
    /// Every key a template may ask this model for; made once.
    static var fields: Fields<Self> { get }
}

/// A page without a layout model, or a section that needs no data.
package struct NoModel: PageModel {
    package init() {}
    package static let fields = Fields<Self> { _ in }
}

/// Markup the program itself made (a chart, a form field); everything else is escaped.
package struct Markup: Sendable, Hashable {
    /// Goes out as it is.
    package let html: String

    /// - Parameter html: well-formed HTML in which everything foreign is already escaped.
    package init(trusted html: String) { self.html = html }
}

/// The keys of a model with their types.
package struct Fields<Model>: Sendable {
    let table: FieldTable

    /// Two fields of one name are a mistake of the program and found when the first page with this model is registered.
    package init(_ declare: (inout FieldList<Model>) -> Void) {
        var list = FieldList<Model>()
        declare(&list)
        table = FieldTable(Model.self, list.fields)
    }
}

/// Declares fields one statement at a time, which keeps the type checker quick.
package struct FieldList<Model> {
    fileprivate var fields: [Field] = []

    /// Text, escaped where it is shown.
    package mutating func text(_ name: String, _ value: @escaping @Sendable (Model) -> String) {
        let read = Reader(value: value)
        fields.append(Field(name: name, kind: .text, write: { $1.writeEscaped(read($0)) }))
    }

    /// Text that may be absent: `{{note}}` shows it or nothing; inside `{{#note}}…{{/note}}` it is `{{.}}`.
    package mutating func optionalText(_ name: String, _ value: @escaping @Sendable (Model) -> String?) {
        let read = Reader(value: value)
        fields.append(
            Field(
                name: name, kind: .optionalText,
                write: { if let text = read($0) { $1.writeEscaped(text) } },
                isTrue: { read($0) != nil },
                visit: { model, body in
                    if let text = read(model) {
                        withUnsafePointer(to: text) { body(UnsafeRawPointer($0)) }
                    }
                },
                child: { .text }))
    }

    /// Markup, only to be shown with three braces.
    package mutating func html(_ name: String, _ value: @escaping @Sendable (Model) -> Markup) {
        let read = Reader(value: value)
        fields.append(Field(name: name, kind: .html, write: { $1.writeRaw(read($0).html) }))
    }

    /// Markup that may be absent; `{{{chart}}}` shows it or nothing, `{{#chart}}…{{/chart}}` asks for it.
    package mutating func optionalHTML(_ name: String, _ value: @escaping @Sendable (Model) -> Markup?) {
        let read = Reader(value: value)
        fields.append(
            Field(
                name: name, kind: .html,
                write: { if let markup = read($0) { $1.writeRaw(markup.html) } },
                isTrue: { read($0) != nil }))
    }

    /// A whole number in plain digits; grouped and signed figures are texts.
    package mutating func number(_ name: String, _ value: @escaping @Sendable (Model) -> Int) {
        let read = Reader(value: value)
        fields.append(Field(name: name, kind: .number, write: { $1.write(read($0)) }))
    }

    /// A condition for `{{#name}}` and `{{^name}}`.
    package mutating func flag(_ name: String, _ value: @escaping @Sendable (Model) -> Bool) {
        let read = Reader(value: value)
        fields.append(Field(name: name, kind: .flag, isTrue: { read($0) }))
    }

    /// Models shown one after another by `{{#name}}`; `name.any` is a flag and `name.count` a number.
    package mutating func list<Element: PageModel>(_ name: String, _ values: @escaping @Sendable (Model) -> [Element]) {
        fields.append(list(name, values) { Element.fields.table })
    }

    /// Texts shown one after another by `{{#name}}{{.}}{{/name}}`; `name.any` is a flag and `name.count` a number.
    package mutating func texts(_ name: String, _ values: @escaping @Sendable (Model) -> [String]) {
        fields.append(list(name, values) { .text })
    }

    /// A model that is always there: `{{#total}}{{amount}}{{/total}}` or `{{total.amount}}`.
    package mutating func model<Child: PageModel>(_ name: String, _ value: @escaping @Sendable (Model) -> Child) {
        let read = Reader(value: value)
        fields.append(
            Field(
                name: name, kind: .model,
                visit: { model, body in
                    withUnsafePointer(to: read(model)) { body(UnsafeRawPointer($0)) }
                },
                child: { Child.fields.table }))
    }

    /// A model that may be absent: `{{#shop}}…{{/shop}}{{^shop}}…{{/shop}}`.
    package mutating func optional<Child: PageModel>(_ name: String, _ value: @escaping @Sendable (Model) -> Child?) {
        let read = Reader(value: value)
        fields.append(
            Field(
                name: name, kind: .optional,
                isTrue: { read($0) != nil },
                visit: { model, body in
                    if let child = read(model) {
                        withUnsafePointer(to: child) { body(UnsafeRawPointer($0)) }
                    }
                },
                child: { Child.fields.table }))
    }

    private func list<Element>(
        _ name: String, _ values: @escaping @Sendable (Model) -> [Element],
        child: @escaping @Sendable () -> FieldTable
    ) -> Field {
        let read = Reader(value: values)
        return Field(
            name: name, kind: .list,
            isTrue: { !read($0).isEmpty },
            visit: { model, body in
                read(model).withUnsafeBufferPointer { elements in
                    guard var element = elements.baseAddress else { return }
                    for _ in 0..<elements.count {
                        body(UnsafeRawPointer(element))
                        element += 1
                    }
                }
            },
            child: child,
            count: { read($0).count })
    }

}

/// Reads a value of the model behind a pointer without copying the model, which a generic `pointee` would do.
///
/// The binder hands a field only pointers to models of the type that declared it.
private struct Reader<Model: ~Copyable, Value>: Sendable {
    let value: @Sendable (borrowing Model) -> Value

    func callAsFunction(_ pointer: UnsafeRawPointer) -> Value {
        value(pointer.assumingMemoryBound(to: Model.self).pointee)
    }
}
