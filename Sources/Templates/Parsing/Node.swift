/// A parsed template: a tree of tags. Partials and parents are referenced by name.
indirect enum Node: Sendable {
    case literal([UInt8])
    /// The start of a line. If the template is a standalone partial, its indentation is inserted here.
    case lineStart
    case variable(Name, raw: Bool)
    case section(Name, [Node])
    case inverted(Name, [Node])
    case partial(name: String, at: Location, indentation: Indentation)
    case parent(name: String, at: Location, indentation: Indentation, blocks: [String: [Node]])
    case block(name: String, at: Location, indentation: Indentation, [Node])
}

/// The position of a partial, parent or block in its line.
enum Indentation: Sendable {
    /// After other content in its line. The first line of its output continues the current one; further lines are not
    /// indented.
    case inline
    /// First in its line, after this white space, which may be empty. The white space is added to each line of output.
    case startsLine([UInt8])
    /// Alone in its lines, after this white space, which is added to each line of output.
    case standalone([UInt8])

    var whiteSpace: [UInt8] {
        switch self {
        case .inline: []
        case .startsLine(let bytes), .standalone(let bytes): bytes
        }
    }
}

/// A dotted name such as `total.amount`. The name `.` has no components.
struct Name: Sendable {
    let components: [String]
    let location: Location

    init(_ text: String, at location: Location) {
        components = text == "." ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.location = location
    }

    var text: String { components.isEmpty ? "." : components.joined(separator: ".") }
}
