/// Parses a template to a tree, and inserts texts for `{{@key}}`.
///
/// Lines that contain only tags without output, such as `{{#name}}`, are removed (Mustache specification,
/// "standalone"). The indentation of a block's content is replaced by the block's indentation in the parent template.
struct Parser {
    typealias TextLookup = (_ key: String, _ location: Location) throws(TemplateError) -> [Node]

    private enum Purpose {
        case template(TextLookup?)
        case text(escaped: Bool)
    }

    private let tokens: [Scanner.Token]
    private let purpose: Purpose
    private var openTags: [OpenTag]

    /// Parses a template.
    ///
    /// - Parameter texts: returns the parsed text of a key. If nil, `{{@key}}` is an error.
    static func template(_ source: [UInt8], file: String, texts: TextLookup? = nil) throws(TemplateError) -> [Node] {
        let start = Location(file: file, line: 1, column: 1)
        guard String(validating: source, as: UTF8.self) != nil else {
            throw TemplateError("the file is not UTF-8", at: start)
        }
        var parser = try Parser(source, at: start, purpose: .template(texts))
        return try parser.parse()
    }

    /// Parses a text of the interface, which is a single line.
    ///
    /// - Parameter escaped: whether to escape the characters of the text for HTML.
    static func text(_ source: [UInt8], at location: Location, escaped: Bool) throws(TemplateError) -> [Node] {
        var parser = try Parser(source, at: location, purpose: .text(escaped: escaped))
        return try parser.parse()
    }

    private init(_ source: [UInt8], at start: Location, purpose: Purpose) throws(TemplateError) {
        var scanner = Scanner(source, at: start)
        tokens = try scanner.tokens()
        self.purpose = purpose
        openTags = [OpenTag(kind: .template, name: "", location: start)]
    }

    private var top: OpenTag {
        get { openTags[openTags.count - 1] }
        set { openTags[openTags.count - 1] = newValue }
    }

    private mutating func parse() throws(TemplateError) -> [Node] {
        var start = 0
        while start < tokens.count {
            let end = tokens[start...].firstIndex { $0.endsLine }.map { $0 + 1 } ?? tokens.count
            let line = TemplateLine(tokens: tokens[start..<end])
            switch purpose {
            case .template: try readLine(line)
            case .text(let escaped): try readText(line, escaped: escaped)
            }
            start = end
        }
        guard openTags.count == 1 else { throw TemplateError("unclosed {{\(top.sign)}}", at: top.location) }
        return top.nodes
    }

    /// Reads a line of a text.
    private mutating func readText(_ line: TemplateLine, escaped: Bool) throws(TemplateError) {
        for token in line.tokens {
            switch token {
            case .text(let bytes):
                try append(.literal(escaped ? escapedForHTML(bytes) : Array(bytes)), at: top.location)
            case .tag(let tag, let name, let location):
                switch tag {
                case .variable, .section, .inverted, .close: try add(tag, name, location, .inline)
                default:
                    throw TemplateError(
                        "a text may contain only {{name}}, {{#name}}, {{^name}} and {{/name}}", at: location)
                }
            }
        }
    }

    /// Reads a line of a template.
    private mutating func readLine(_ line: TemplateLine) throws(TemplateError) {
        let isStandalone = line.isStandalone(inside: openTags.map(\.kind))
        measureBlock(from: line, isStandalone: isStandalone)
        let leading = Array(line.leadingWhiteSpace.dropFirst(top.dedent))
        if isStandalone {
            let depth = openTags.count
            for case .tag(let tag, let name, let location) in line.tokens {
                try add(tag, name, location, .standalone(leading))
            }
            if openTags.count > depth, top.kind == .block { top.awaitsFirstLine = true }
            return
        }
        var remainingTokens = line.tokens
        if line.startsWithBlock {
            if case .text? = remainingTokens.first { remainingTokens.removeFirst() }
            if case .tag(let tag, let name, let location)? = remainingTokens.popFirst() {
                try add(tag, name, location, .startsLine(leading))
            }
        } else {
            if !line.isBlank { try append(.lineStart, at: top.location) }
            if case .text(let bytes)? = remainingTokens.first {
                remainingTokens.removeFirst()
                let cut = min(top.dedent, line.leadingWhiteSpace.count)
                try append(.literal(Array(bytes.dropFirst(cut))), at: top.location)
            }
        }
        for token in remainingTokens {
            switch token {
            case .text(let bytes): try append(.literal(Array(bytes)), at: top.location)
            case .tag(let tag, let name, let location): try add(tag, name, location, .inline)
            }
        }
    }

    /// Sets `indentation` and `dedent` of a standalone block from the first line of its content.
    private mutating func measureBlock(from line: TemplateLine, isStandalone: Bool) {
        guard top.awaitsFirstLine, !line.isBlank else { return }
        top.awaitsFirstLine = false
        if isStandalone, case .tag(.close, _, _)? = line.firstTag { return }
        let enclosing = openTags[openTags.count - 2].dedent
        top.indentation = .standalone(Array(line.leadingWhiteSpace.dropFirst(enclosing)))
        top.dedent = line.leadingWhiteSpace.count
    }

    private mutating func add(
        _ tag: Scanner.Tag, _ name: String, _ location: Location, _ indentation: Indentation
    ) throws(TemplateError) {
        switch tag {
        case .variable: try append(.variable(Name(name, at: location), raw: false), at: location)
        case .raw: try append(.variable(Name(name, at: location), raw: true), at: location)
        case .partial: try append(.partial(name: name, at: location, indentation: indentation), at: location)
        case .section: push(.section, name, location, indentation)
        case .inverted: push(.inverted, name, location, indentation)
        case .parent: push(.parent, name, location, indentation)
        case .block: push(.block, name, location, indentation)
        case .close: try close(name, at: location)
        case .comment, .delimiters: break
        case .text:
            guard case .template(let lookup?) = purpose else {
                throw TemplateError("no texts available for {{@\(name)}}", at: location)
            }
            for node in try lookup(name, location) { try append(node, at: location) }
        }
    }

    private mutating func push(_ kind: OpenTag.Kind, _ name: String, _ location: Location, _ indentation: Indentation) {
        var tag = OpenTag(kind: kind, name: name, location: location)
        tag.indentation = indentation
        tag.dedent = top.dedent
        openTags.append(tag)
    }

    private mutating func close(_ name: String, at location: Location) throws(TemplateError) {
        guard openTags.count > 1 else { throw TemplateError("{{/\(name)}} without an opening tag", at: location) }
        guard top.name == name else {
            let opened = "opened in line \(top.location.line), column \(top.location.column)"
            throw TemplateError(
                "{{/\(name)}} found, but {{\(top.sign)}}, \(opened), must be closed first", at: location)
        }
        let tag = openTags.removeLast()
        let dotted = Name(name, at: tag.location)
        switch tag.kind {
        case .template: break
        case .section: try append(.section(dotted, tag.nodes), at: tag.location)
        case .inverted: try append(.inverted(dotted, tag.nodes), at: tag.location)
        case .parent:
            let node = Node.parent(name: name, at: tag.location, indentation: tag.indentation, blocks: tag.blocks)
            try append(node, at: tag.location)
        case .block:
            let node = Node.block(name: name, at: tag.location, indentation: tag.indentation, tag.nodes)
            try append(node, at: tag.location)
        }
    }

    private mutating func append(_ node: Node, at location: Location) throws(TemplateError) {
        guard top.kind == .parent else {
            top.nodes.append(node)
            return
        }
        switch node {
        case .literal, .lineStart: break
        case .block(let name, _, _, let content):
            guard top.blocks.updateValue(content, forKey: name) == nil else {
                throw TemplateError("block \(name) is defined twice", at: location)
            }
        default: throw TemplateError("only blocks are allowed directly inside {{\(top.sign)}}", at: location)
        }
    }
}

/// A section, block or parent that is not closed yet.
struct OpenTag {
    enum Kind {
        case template, section, inverted, parent, block
    }

    let kind: Kind
    let name: String
    let location: Location
    var nodes: [Node] = []
    var blocks: [String: [Node]] = [:]
    var indentation = Indentation.inline
    /// Number of bytes of white space that are removed at the start of each line, because they indent the template, not
    /// the output.
    var dedent = 0
    /// Whether the next line is the first of a standalone block, so that it determines `dedent`.
    var awaitsFirstLine = false

    init(kind: Kind, name: String, location: Location) {
        self.kind = kind
        self.name = name
        self.location = location
    }

    /// The tag without braces.
    var sign: String {
        switch kind {
        case .template: ""
        case .section: "#\(name)"
        case .inverted: "^\(name)"
        case .parent: "<\(name)"
        case .block: "$\(name)"
        }
    }
}
