/// A parsed template: a tree of tags. Partials and parents are referenced by name.
indirect enum Node: Sendable {
    case literal([UInt8])
    /// The start of a line to which the indentation of a standalone partial applies.
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
    /// Preceded by other content: its first line continues the current one, further lines are not indented.
    case inline
    /// First in its line, after this white space, which may be empty and is added to all its lines.
    case startsLine([UInt8])
    /// Alone in its lines; each line gets this white space.
    case standalone([UInt8])

    var whiteSpace: [UInt8] {
        switch self {
        case .inline: []
        case .startsLine(let bytes), .standalone(let bytes): bytes
        }
    }
}

/// A dotted name; `.` has no components.
struct Name: Sendable {
    let components: [String]
    let location: Location

    init(_ text: String, at location: Location) {
        components = text == "." ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.location = location
    }

    var text: String { components.isEmpty ? "." : components.joined(separator: ".") }
}
