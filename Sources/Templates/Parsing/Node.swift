/// A parsed template: tags as a tree, partials and parents still by name.
indirect enum Node: Sendable {
    case literal([UInt8])
    /// Here a line begins that the indentation of a standalone partial moves to the right.
    case lineStart
    case variable(Name, raw: Bool)
    case section(Name, [Node])
    case inverted(Name, [Node])
    case partial(name: String, at: Location, indentation: Indentation)
    case parent(name: String, at: Location, indentation: Indentation, blocks: [String: [Node]])
    case block(name: String, at: Location, indentation: Indentation, [Node])
}

/// Where a partial, parent or block stands in its line.
enum Indentation: Sendable {
    /// Something precedes it: its first line goes on where this one is, further lines are not moved.
    case inline
    /// It begins its line behind this white space, which all its lines get, also when it is empty.
    case startsLine([UInt8])
    /// It has its lines to itself; each of them gets this white space.
    case standalone([UInt8])

    var whiteSpace: [UInt8] {
        switch self {
        case .inline: []
        case .startsLine(let bytes), .standalone(let bytes): bytes
        }
    }
}

/// A dotted name; `.` alone has no components.
struct Name: Sendable {
    let components: [String]
    let location: Location

    init(_ text: String, at location: Location) {
        components = text == "." ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.location = location
    }

    var text: String { components.isEmpty ? "." : components.joined(separator: ".") }
}
