/// A template rendered with dynamic values. The app's pages use `TemplateLibrary` instead.
package struct Template: Sendable {
    private let expansion: Expansion

    /// - Parameters:
    ///   - file: the name of the source in errors.
    ///   - partials: the sources of partials and parents by name. Unknown names are empty, as specified by Mustache.
    /// - Throws: `TemplateError` with the position of the error.
    package init(_ source: String, file: String = "template", partials: [String: String] = [:]) throws(TemplateError) {
        let nodes = try Parser.template(Array(source.utf8), file: file)
        var parsed: [String: [Node]] = [:]
        for (name, source) in partials { parsed[name] = try Parser.template(Array(source.utf8), file: name) }
        var expander = Expander(missing: .areEmpty) { [parsed] in parsed[$0] }
        expansion = try expander.expand(nodes)
    }

    /// Renders to UTF-8.
    package func render(_ value: Value) -> [UInt8] {
        var output = Output()
        ValueRenderer(partials: expansion.partials).render(expansion.pieces, [value], into: &output)
        return output.bytes
    }
}
