/// A validator of a representation (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag without its quotes.
    package let value: String
    /// Whether representations with the same tag may differ in bytes, but not in meaning. A weak tag never matches a
    /// range (RFC 9110 §8.8.1).
    package let isWeak: Bool

    package init(_ value: String, isWeak: Bool = false) {
        self.value = value
        self.isWeak = isWeak
    }

    /// As written in a field: `"value"` or `W/"value"`.
    package var description: String { (isWeak ? "W/\"" : "\"") + value + "\"" }

    /// True if both tags are equal and neither is weak (RFC 9110 §8.8.3.2).
    package func matchesStrongly(_ other: EntityTag) -> Bool { self == other && !isWeak }

    /// The condition in an `If-Match` or `If-None-Match` field.
    package enum Condition: Equatable, Sendable {
        /// `*`: any representation.
        case any
        /// 1 … 32 tags.
        case oneOf([EntityTag])

        /// Returns nil if the field is absent or malformed.
        package init?(_ field: String?) {
            guard let field else { return nil }
            if field == "*" {
                self = .any
                return
            }
            guard let tags = EntityTag.list(Array(field.utf8)) else { return nil }
            self = .oneOf(tags)
        }
    }

    /// Parses a list of at most 32 tags. Returns nil for more tags and for other text.
    private static func list(_ bytes: [UInt8]) -> [EntityTag]? {
        var scanner = bytes[...]
        var tags: [EntityTag] = []
        while true {
            scanner = scanner.trimmingBlanks()
            // A list may contain empty elements (RFC 9110 §5.6.1.2).
            if scanner.first == UInt8(ascii: ",") {
                scanner = scanner.dropFirst()
                continue
            }
            if scanner.isEmpty { return tags.isEmpty ? nil : tags }
            let isWeak = scanner.starts(with: "W/".utf8)
            if isWeak { scanner = scanner.dropFirst(2) }
            guard scanner.first == UInt8(ascii: "\"") else { return nil }
            scanner = scanner.dropFirst()
            guard let end = scanner.firstIndex(of: UInt8(ascii: "\"")), tags.count < 32 else { return nil }
            tags.append(EntityTag(String(decoding: scanner[..<end], as: UTF8.self), isWeak: isWeak))
            scanner = scanner[(end + 1)...].trimmingBlanks()
            guard scanner.isEmpty || scanner.first == UInt8(ascii: ",") else { return nil }
        }
    }
}

extension RequestHead {
    /// Whether `If-Match` is absent or lists this representation. If not, the answer is 412 (RFC 9110 §13.1.1).
    package func accepts(_ tag: EntityTag) -> Bool {
        guard headers.contains(.ifMatch) else { return true }
        return switch EntityTag.Condition(headers.list(.ifMatch)) {
        case .any: true
        case .oneOf(let tags): tags.contains { $0.matchesStrongly(tag) }
        case nil: false
        }
    }

    /// Whether the client's copy is current, so that the answer to GET or HEAD is 304 (RFC 9110 §13.2.2).
    ///
    /// - Parameter modified: the time of the last change in seconds since 1970; used only if there is no
    ///   `If-None-Match`.
    package func isFresh(_ tag: EntityTag?, modified: Int? = nil) -> Bool {
        guard method == .get || method == .head else { return false }
        if headers.contains(.ifNoneMatch) {
            guard let tag, let condition = EntityTag.Condition(headers.list(.ifNoneMatch)) else { return false }
            switch condition {
            case .any: return true
            case .oneOf(let tags): return tags.contains { $0.value == tag.value }
            }
        }
        guard let modified, let since = headers[.ifModifiedSince].flatMap(HTTPDate.parse) else { return false }
        return modified <= since
    }
}

/// The bytes requested by a Range field (RFC 9110 §14.2): one range, or the whole representation.
package enum ByteRange: Equatable, Sendable {
    /// The whole representation: 200.
    case whole
    /// The bytes of the range, counted from 0: 206. Never empty, always within the size.
    case part(Range<Int>)
    /// No byte of the range exists: 416.
    case unsatisfiable

    /// - Parameters:
    ///   - size: bytes of the representation.
    ///   - tag: the representation's tag, compared with `If-Range`.
    package init(_ head: RequestHead, size: Int, tag: EntityTag?) {
        guard head.method == .get, let field = head.headers[.range],
            Self.applies(head.headers[.ifRange], tag)
        else {
            self = .whole
            return
        }
        self = Self.parse(field, size: size)
    }

    static func parse(_ field: String, size: Int) -> ByteRange {
        // Several ranges would need a multipart answer. A server may send everything instead (RFC 9110 §14.2).
        guard field.lowercased().hasPrefix("bytes="), !field.contains(",") else { return .whole }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return .whole }
        let first = number(parts[0])
        let last = number(parts[1])
        switch (first, last) {
        case (nil, let count?) where parts[0].isEmpty:
            return count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        case (let first?, nil) where parts[1].isEmpty:
            return first < size ? .part(first..<size) : .unsatisfiable
        case (let first?, let last?):
            guard first <= last else { return .whole }
            return first < size ? .part(first..<min(size, last + 1)) : .unsatisfiable
        default: return .whole
        }
    }

    /// Whether `If-Range` is absent or names the representation, so that the range applies (RFC 9110 §13.1.5).
    private static func applies(_ ifRange: String?, _ tag: EntityTag?) -> Bool {
        guard let ifRange else { return true }
        guard let tag, case .oneOf(let tags)? = EntityTag.Condition(ifRange), tags.count == 1 else { return false }
        return tags[0].matchesStrongly(tag)
    }

    /// Parses a number of at most 18 digits, which cannot overflow; nil for other text.
    private static func number(_ text: Substring) -> Int? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text)
    }
}
