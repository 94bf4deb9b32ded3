/// A value without a model type, for samples of pages, placeholders in texts, and the test cases of the Mustache
/// specification.
package enum Value: Sendable, Hashable {
    case nothing
    case flag(Bool)
    case text(String)
    /// A number as it is displayed.
    case number(String)
    case list([Value])
    case object([String: Value])

    /// Whether a section with this value is rendered. It is not rendered for `nothing`, false and an empty list; it is
    /// rendered for an empty text and 0.
    var isTrue: Bool {
        switch self {
        case .nothing, .flag(false), .list([]): false
        default: true
        }
    }

    var shown: String {
        switch self {
        case .text(let text), .number(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .nothing, .list, .object: ""
        }
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(arrayLiteral elements: Value...) { self = .list(elements) }

    /// The last value of a repeated key is kept.
    package init(dictionaryLiteral elements: (String, Value)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

/// Renders pieces with dynamic values, which it looks up by name while rendering.
struct ValueRenderer {
    /// Maximum depth of a partial that contains itself; deeper levels are omitted.
    static let depthLimit = 256

    let partials: [[Piece]]
    /// Whether variables are written without escaping, for texts that are not HTML.
    var isPlain = false

    func render(_ pieces: [Piece], _ stack: [Value], into output: inout Output, depth: Int = 0) {
        for piece in pieces {
            switch piece {
            case .literal(let bytes): output.write(bytes)
            case .variable(let name, let raw):
                let text = Self.resolve(name, in: stack).shown
                if raw || isPlain { output.writeRaw(text) } else { output.writeEscaped(text) }
            case .inverted(let name, let content):
                if !Self.resolve(name, in: stack).isTrue { render(content, stack, into: &output, depth: depth) }
            case .section(let name, let content):
                switch Self.resolve(name, in: stack) {
                case .list(let values):
                    for value in values { render(content, stack + [value], into: &output, depth: depth) }
                case let value where value.isTrue: render(content, stack + [value], into: &output, depth: depth)
                default: break
                }
            case .repeated(let number):
                if depth < Self.depthLimit {
                    render(partials[number], stack, into: &output, depth: depth + 1)
                }
            }
        }
    }

    /// Looks up a dotted name. Its first component is searched from the innermost object outwards; each other component
    /// is searched in the value of the one before it.
    private static func resolve(_ name: Name, in stack: [Value]) -> Value {
        guard let first = name.components.first else { return stack.last ?? .nothing }
        for case .object(let members) in stack.reversed() {
            guard var value = members[first] else { continue }
            for component in name.components.dropFirst() {
                guard case .object(let inner) = value, let next = inner[component] else { return .nothing }
                value = next
            }
            return value
        }
        return .nothing
    }
}
