/// A part of a template in which partials, parents and blocks have been inserted and indented, so that its output
/// depends on data only.
indirect enum Piece: Sendable {
    case literal([UInt8])
    case variable(Name, raw: Bool)
    case section(Name, [Piece])
    case inverted(Name, [Piece])
    /// A partial that contains itself; its pieces are in `Expansion.partials`.
    case repeated(Int)
}

/// A page in which partials, parents and blocks have been inserted.
struct Expansion: Sendable {
    var pieces: [Piece] = []
    /// The partials that contain themselves.
    var partials: [[Piece]] = []
    /// The partials and parents used, for reports about unused templates.
    var templates: Set<String> = []
}

/// Inserts partials, parents and blocks. Blocks are resolved in the scope of the page that defines them, so two layouts
/// with a block of the same name do not affect each other.
struct Expander {
    /// The contents of blocks, each with the blocks of the scope in which it is defined.
    private final class Blocks {
        let contents: [String: (nodes: [Node], blocks: Blocks?)]
        init(_ contents: [String: (nodes: [Node], blocks: Blocks?)]) { self.contents = contents }
    }

    private struct Call: Hashable {
        let name: String
        let indentation: [UInt8]
    }

    private static let depthLimit = 64
    private static let pieceLimit = 200_000

    private let template: (String) -> [Node]?
    private let missing: MissingPartials
    private var expansion = Expansion()
    /// The partials that are being expanded, with their numbers if they contain themselves.
    private var active: [Call: Int?] = [:]
    /// Number of nodes expanded.
    private var count = 0

    enum MissingPartials {
        case areErrors, areEmpty
    }

    init(missing: MissingPartials = .areErrors, template: @escaping (String) -> [Node]?) {
        self.template = template
        self.missing = missing
    }

    mutating func expand(_ nodes: [Node]) throws(TemplateError) -> Expansion {
        expansion.pieces = try pieces(nodes, indentation: [], blocks: nil, depth: 0)
        return expansion
    }

    private mutating func pieces(
        _ nodes: [Node], indentation: [UInt8], blocks: Blocks?, depth: Int, midLine: Bool = false
    ) throws(TemplateError) -> [Piece] {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        func flush(_ pieces: inout [Piece]) {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = []
        }
        for (index, node) in nodes.enumerated() {
            count += 1
            switch node {
            case .literal(let bytes): literal += bytes
            case .lineStart: if !(midLine && index == 0) { literal += indentation }
            case .variable(let name, let raw):
                flush(&pieces)
                pieces.append(.variable(name, raw: raw))
            case .section(let name, let content):
                flush(&pieces)
                let inner = try self.pieces(content, indentation: indentation, blocks: blocks, depth: depth)
                pieces.append(.section(name, inner))
            case .inverted(let name, let content):
                flush(&pieces)
                let inner = try self.pieces(content, indentation: indentation, blocks: blocks, depth: depth)
                pieces.append(.inverted(name, inner))
            case .partial(let name, let location, let own):
                flush(&pieces)
                pieces += try partial(name, location, own, indentation, depth)
            case .parent(let name, let location, let own, let given):
                flush(&pieces)
                var contents = given.mapValues { (nodes: $0, blocks: blocks) }
                // The outermost definition of a block takes precedence.
                if let blocks { contents.merge(blocks.contents) { _, outer in outer } }
                guard let parent = try load(name, location, depth) else { continue }
                pieces += try self.pieces(
                    parent, indentation: indentation + own.whiteSpace, blocks: Blocks(contents), depth: depth + 1,
                    midLine: own.isInline)
            case .block(let name, _, let own, let defaultContent):
                flush(&pieces)
                let content = blocks?.contents[name] ?? (nodes: defaultContent, blocks: blocks)
                let blockIndentation = indentation + own.whiteSpace
                var midLine = own.isInline
                if case .startsLine = own {
                    literal += blockIndentation
                    midLine = true
                }
                flush(&pieces)
                pieces += try self.pieces(
                    content.nodes, indentation: blockIndentation, blocks: content.blocks, depth: depth + 1,
                    midLine: midLine)
            }
        }
        flush(&pieces)
        return pieces
    }

    private mutating func partial(
        _ name: String, _ location: Location, _ own: Indentation, _ indentation: [UInt8], _ depth: Int
    ) throws(TemplateError) -> [Piece] {
        let call = Call(name: name, indentation: indentation + own.whiteSpace)
        if let running = active[call] {
            let number: Int
            if let known = running {
                number = known
            } else {
                number = expansion.partials.count
                expansion.partials.append([])
                active[call] = .some(number)
            }
            return [.repeated(number)]
        }
        guard let nodes = try load(name, location, depth) else { return [] }
        active[call] = .some(nil)
        defer { active[call] = nil }
        let pieces = try pieces(
            nodes, indentation: call.indentation, blocks: nil, depth: depth + 1, midLine: own.isInline)
        if let number = active[call] ?? nil {
            expansion.partials[number] = pieces
        }
        return pieces
    }

    private mutating func load(_ name: String, _ location: Location, _ depth: Int) throws(TemplateError) -> [Node]? {
        guard depth < Self.depthLimit else {
            throw TemplateError(
                "partials and parents are nested more than \(Self.depthLimit) deep: \(name)", at: location)
        }
        guard count < Self.pieceLimit else {
            throw TemplateError("the page has more than \(Self.pieceLimit) parts", at: location)
        }
        guard let nodes = template(name) else {
            if missing == .areEmpty { return nil }
            throw TemplateError("template not found: \(name)", at: location)
        }
        expansion.templates.insert(name)
        return nodes
    }
}

extension Indentation {
    fileprivate var isInline: Bool { if case .inline = self { true } else { false } }
}
