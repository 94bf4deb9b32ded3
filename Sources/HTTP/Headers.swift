/// Header fields in their order, compared without regard to case.
///
/// All text lies in one buffer, so that a head of twenty fields costs two allocations; a value becomes a `String`
/// when it is asked for. A name or value that could break out of its line (CR, LF, NUL or another control) is never
/// stored: it is remembered in `refused`, and the server answers 500 instead of sending such a head.
package struct Headers: Sendable {
    struct Field {
        var name: Range<Int32>
        var value: Range<Int32>
    }

    var text: [UInt8]
    var fields: [Field]
    /// Whether `text` is what goes over the wire: built by `append` alone.
    private var isWireForm: Bool

    /// The first field that was not stored because its name or value is not allowed in a header.
    package private(set) var refused: HeaderName?

    /// No fields yet.
    package init() {
        text = []
        fields = []
        isWireForm = true
    }

    /// Takes over text that the parser has already checked.
    init(text: [UInt8], fields: [Field]) {
        self.text = text
        self.fields = fields
        isWireForm = false
    }

    /// Fields, not names: a repeated one counts each time.
    package var count: Int { fields.count }
    /// True for a head without fields, even where one was refused.
    package var isEmpty: Bool { fields.isEmpty }
    /// About the bytes that `write(to:)` appends.
    package var byteCount: Int { text.count }

    /// The value of the first field of that name; setting replaces all of them, nil removes them.
    package subscript(name: HeaderName) -> String? {
        get {
            for field in fields where matches(field, name) { return string(field.value) }
            return nil
        }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    /// All values of that name, in order.
    package func values(_ name: HeaderName) -> [String] {
        fields.lazy.filter { matches($0, name) }.map { string($0.value) }
    }

    /// How many fields of that name there are.
    package func count(of name: HeaderName) -> Int { fields.count { matches($0, name) } }

    /// Whether there is such a field, even an empty one.
    package func contains(_ name: HeaderName) -> Bool { fields.contains { matches($0, name) } }

    /// Whether one of the other's fields is here too.
    package func contains(anyOf other: Headers) -> Bool {
        fields.contains { field in
            other.fields.contains { wanted in
                field.name.count == wanted.name.count
                    && zip(text[bytes(field.name)], other.text[other.bytes(wanted.name)]).allSatisfy {
                        ASCII.lowercased($0) == ASCII.lowercased($1)
                    }
            }
        }
    }

    /// Whether a comma-separated list field has this element, compared without regard to case (RFC 9110 §5.6.1).
    package func contains(_ name: HeaderName, token: String) -> Bool {
        fields.contains { field in
            matches(field, name)
                && text[bytes(field.value)].split(separator: UInt8(ascii: ",")).contains { element in
                    let trimmed = element.trimmingBlanks()
                    return trimmed.elementsEqual(token.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
                }
        }
    }

    /// Adds a field behind those that are there.
    package mutating func append(_ name: HeaderName, _ value: String) {
        guard !name.name.isEmpty, name.name.utf8.allSatisfy(ASCII.isToken), value.utf8.allSatisfy(ASCII.isFieldValue)
        else {
            if refused == nil { refused = name }
            return
        }
        let start = Int32(text.count)
        text.append(contentsOf: name.name.utf8)
        let nameEnd = Int32(text.count)
        text.append(UInt8(ascii: ":"))
        text.append(ASCII.space)
        text.append(contentsOf: value.utf8)
        fields.append(Field(name: start..<nameEnd, value: nameEnd + 2..<Int32(text.count)))
        text.append(ASCII.carriageReturn)
        text.append(ASCII.lineFeed)
    }

    /// Puts the fields of another head after these, repeated names included.
    package mutating func append(contentsOf other: Headers) {
        if other.isWireForm {
            // Checked when they were appended there; behind text of the parser they are one more place to write from.
            let shift = Int32(text.count)
            text.append(contentsOf: other.text)
            for field in other.fields {
                fields.append(
                    Field(
                        name: field.name.lowerBound + shift..<field.name.upperBound + shift,
                        value: field.value.lowerBound + shift..<field.value.upperBound + shift))
            }
        } else {
            for (name, value) in other.pairs { append(name, value) }
        }
        if refused == nil { refused = other.refused }
    }

    /// Removes every field of that name.
    package mutating func remove(_ name: HeaderName) {
        guard contains(name) else { return }
        var kept = Headers()
        for field in fields where !matches(field, name) {
            kept.append(HeaderName(string(field.name)), string(field.value))
        }
        kept.refused = refused
        self = kept
    }

    /// Removes what the server itself says of a message: Connection, Content-Length, Date and Transfer-Encoding.
    package mutating func removeFraming() {
        // Of these lengths hardly anything else is sent, so the names are looked at seldom.
        let isLikely = fields.contains {
            $0.name.count == 4 || $0.name.count == 10 || $0.name.count == 14 || $0.name.count == 17
        }
        guard isLikely else { return }
        for name in [HeaderName.connection, .contentLength, .date, .transferEncoding] { remove(name) }
    }

    /// Every field as name and value, in order.
    package var pairs: some Sequence<(name: HeaderName, value: String)> {
        fields.lazy.map { (HeaderName(string($0.name)), string($0.value)) }
    }

    /// Appends `Name: value CRLF` for every field.
    package func write(to output: inout [UInt8]) {
        if isWireForm { return output.append(contentsOf: text) }
        for field in fields {
            output.append(contentsOf: text[bytes(field.name)])
            output.append(UInt8(ascii: ":"))
            output.append(ASCII.space)
            output.append(contentsOf: text[bytes(field.value)])
            output.append(ASCII.carriageReturn)
            output.append(ASCII.lineFeed)
        }
    }

    func matches(_ field: Field, _ name: HeaderName) -> Bool {
        guard field.name.count == name.name.utf8.count else { return false }
        var index = Int(field.name.lowerBound)
        for byte in name.name.utf8 {
            if ASCII.lowercased(byte) != ASCII.lowercased(text[index]) { return false }
            index += 1
        }
        return true
    }

    func bytes(_ range: Range<Int32>) -> Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }

    private func string(_ range: Range<Int32>) -> String { String(decoding: text[bytes(range)], as: UTF8.self) }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at either end.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        var slice = self
        while let byte = slice.first, byte == ASCII.space || byte == ASCII.tab { slice.removeFirst() }
        while let byte = slice.last, byte == ASCII.space || byte == ASCII.tab { slice.removeLast() }
        return slice
    }
}
