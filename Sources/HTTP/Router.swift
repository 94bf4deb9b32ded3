/// One line of the route table.
package struct Route<Handler: Sendable>: Sendable {
    /// The method as registered. A route for GET also serves HEAD.
    package let method: Method
    /// The pattern as registered, such as `/receipts/{id}`. Logs show the pattern instead of the target.
    package let pattern: String
    /// Provided by the application; the router does not call it.
    package let handler: Handler
}

/// The values of a pattern's `{name}` segments.
package struct RouteParameters: Equatable, Sendable {
    private let values: [NamedValue]

    package init(_ values: [NamedValue] = []) { self.values = values }

    /// The decoded segment; nil if the pattern has no such name.
    package subscript(name: String) -> String? { values.first { $0.name == name }?.value }
}

/// The result of looking up a request.
package enum RouteMatch<Handler: Sendable>: Sendable {
    case found(Route<Handler>, RouteParameters)
    /// The path exists, but not with this method: 405, with the methods for `Allow`.
    case methodNotAllowed(pattern: String, allow: [Method])
    case notFound
}

/// An error in the route table, reported at start.
package enum RouteError: Error, Equatable {
    /// The pattern is malformed. A pattern starts with `/`; a segment is plain text or one `{name}`; names are unique
    /// and not empty.
    case malformed(String)
    /// The same method and pattern are registered twice.
    case duplicate(Method, String)
    /// A path can match both patterns and neither pattern is more specific, or the patterns differ only in names.
    case ambiguous(String, String)
}

/// A route table of methods and path patterns with `{name}` segments. Literal segments take precedence over names.
package struct Router<Handler: Sendable>: Sendable {
    /// All routes in the order of registration.
    package private(set) var routes: [Route<Handler>] = []

    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        /// Index into `paths` if a pattern ends here.
        var path: Int?
    }

    private struct Path: Sendable {
        let pattern: String
        let segments: [Segment]
        var routes: [Route<Handler>]
    }

    private enum Segment: Equatable, Sendable {
        case literal(String)
        case parameter(String)
    }

    private var nodes = [Node()]
    private var paths: [Path] = []

    package init() {}

    /// Adds a route. A route for GET also serves HEAD.
    ///
    /// - Throws: `malformed`, `duplicate` or `ambiguous`; the table is not changed.
    package mutating func add(_ method: Method, _ pattern: String, _ handler: Handler) throws(RouteError) {
        let segments = try Self.parse(pattern)
        let route = Route(method: method, pattern: pattern, handler: handler)
        if let index = paths.firstIndex(where: { $0.segments == segments }) {
            guard !paths[index].routes.contains(where: { $0.method == method }) else {
                throw .duplicate(method, pattern)
            }
            paths[index].routes.append(route)
        } else {
            for path in paths where Self.collide(path.segments, segments) { throw .ambiguous(path.pattern, pattern) }
            paths.append(Path(pattern: pattern, segments: segments, routes: [route]))
            insert(segments, path: paths.count - 1)
        }
        routes.append(route)
    }

    /// Looks up the decoded segments of a request.
    package func match(_ method: Method, _ segments: [String]) -> RouteMatch<Handler> {
        guard let index = find(segments[...], from: 0) else { return .notFound }
        let path = paths[index]
        guard
            let route = path.routes.first(where: { $0.method == method })
                ?? (method == .head ? path.routes.first { $0.method == .get } : nil)
        else {
            var allow = path.routes.map(\.method)
            if allow.contains(.get), !allow.contains(.head) { allow.append(.head) }
            return .methodNotAllowed(pattern: path.pattern, allow: allow)
        }
        var values: [NamedValue] = []
        for (segment, value) in zip(path.segments, segments) {
            if case .parameter(let name) = segment { values.append(NamedValue(name, value)) }
        }
        return .found(route, RouteParameters(values))
    }

    /// Returns the index in `paths` of the pattern that matches the segments below a node.
    private func find(_ segments: ArraySlice<String>, from node: Int) -> Int? {
        guard let segment = segments.first else { return nodes[node].path }
        let remainingSegments = segments.dropFirst()
        if let next = nodes[node].literals[segment], let path = find(remainingSegments, from: next) { return path }
        guard !segment.isEmpty, let next = nodes[node].parameter else { return nil }
        return find(remainingSegments, from: next)
    }

    private mutating func insert(_ segments: [Segment], path: Int) {
        var node = 0
        for segment in segments {
            let next: Int?
            switch segment {
            case .literal(let text): next = nodes[node].literals[text]
            case .parameter: next = nodes[node].parameter
            }
            if let next {
                node = next
                continue
            }
            nodes.append(Node())
            switch segment {
            case .literal(let text): nodes[node].literals[text] = nodes.count - 1
            case .parameter: nodes[node].parameter = nodes.count - 1
            }
            node = nodes.count - 1
        }
        nodes[node].path = path
    }

    private static func parse(_ pattern: String) throws(RouteError) -> [Segment] {
        guard pattern.hasPrefix("/") else { throw .malformed(pattern) }
        if pattern == "/" { return [] }
        var segments: [Segment] = []
        for part in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if part.hasPrefix("{"), part.hasSuffix("}") {
                let segment = Segment.parameter(String(part.dropFirst().dropLast()))
                guard part.count > 2, !segments.contains(segment) else { throw .malformed(pattern) }
                segments.append(segment)
            } else {
                guard !part.isEmpty, !part.contains(where: { "{}?#%".contains($0) }) else { throw .malformed(pattern) }
                segments.append(.literal(String(part)))
            }
        }
        return segments
    }

    /// Whether a path can match both patterns and neither pattern is more specific.
    private static func collide(_ left: [Segment], _ right: [Segment]) -> Bool {
        guard left.count == right.count else { return false }
        var leftIsNarrower = false
        var rightIsNarrower = false
        for pair in zip(left, right) {
            switch pair {
            case (.literal(let a), .literal(let b)): if a != b { return false }
            case (.literal, .parameter): leftIsNarrower = true
            case (.parameter, .literal): rightIsNarrower = true
            case (.parameter, .parameter): break
            }
        }
        return leftIsNarrower == rightIsNarrower
    }
}
