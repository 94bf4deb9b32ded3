/// Header fields in their order, compared without regard to case.
///
/// All text is stored in one buffer, so that a head of twenty fields costs two allocations. A value becomes a `String`
/// when it is read. A field whose name or value has CR, LF, NUL or another control is never stored. Its name is stored
/// in `refused`, and the server answers 500 instead of sending such a head.
package struct Headers: Sendable {
    struct Field {
        var name: Range<Int32>
        var value: Range<Int32>
    }

    var text: [UInt8]
    var fields: [Field]
    /// Whether `text` has the form in which fields are sent. True if all fields were added by `append`; received text
    /// may contain other blanks.
    private var isWireForm: Bool

    /// The first field that was not stored because its name or value is not allowed.
    package private(set) var refused: HeaderName?

    /// Creates a list without fields.
    package init() {
        text = []
        fields = []
        isWireForm = true
    }

    /// Creates the fields of a head that the parser has checked.
    init(text: [UInt8], fields: [Field]) {
        self.text = text
        self.fields = fields
        isWireForm = false
    }

    /// Number of fields; each repetition of a name counts.
    package var count: Int { fields.count }
    /// True if there are no fields. A refused field does not count.
    package var isEmpty: Bool { fields.isEmpty }
    /// Approximate number of bytes that `write(to:)` appends.
    package var byteCount: Int { text.count }

    /// The value of the first field of that name. Setting replaces all fields of that name; nil removes them.
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

    /// The value of a list field. The values of repeated fields are joined with commas (RFC 9110 §5.3). Nil if there is
    /// no such field.
    package func list(_ name: HeaderName) -> String? {
        count(of: name) > 1 ? values(name).joined(separator: ", ") : self[name]
    }

    /// The number of fields of that name.
    package func count(of name: HeaderName) -> Int { fields.count { matches($0, name) } }

    /// Whether there is a field of that name; it may be empty.
    package func contains(_ name: HeaderName) -> Bool { fields.contains { matches($0, name) } }

    /// Whether the two heads have a field name in common.
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

    /// Whether a comma-separated list field contains the element, compared without regard to case (RFC 9110 §5.6.1).
    package func contains(_ name: HeaderName, token: String) -> Bool {
        fields.contains { field in
            matches(field, name)
                && text[bytes(field.value)].split(separator: UInt8(ascii: ",")).contains { element in
                    let trimmed = element.trimmingBlanks()
                    return trimmed.elementsEqual(token.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
                }
        }
    }

    /// Appends a field.
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

    /// Appends the fields of another head; repeated names are kept.
    package mutating func append(contentsOf other: Headers) {
        if other.isWireForm {
            // These fields were checked when they were appended to `other`.
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
        var keptHeaders = Headers()
        for field in fields where !matches(field, name) {
            keptHeaders.append(HeaderName(string(field.name)), string(field.value))
        }
        keptHeaders.refused = refused
        self = keptHeaders
    }

    /// Removes the fields that the server writes itself: Connection, Content-Length, Date and Transfer-Encoding.
    package mutating func removeFraming() {
        // Checks the lengths of the names first, because few other names have these lengths.
        let isLikely = fields.contains {
            $0.name.count == 4 || $0.name.count == 10 || $0.name.count == 14 || $0.name.count == 17
        }
        guard isLikely else { return }
        for name in [HeaderName.connection, .contentLength, .date, .transferEncoding] { remove(name) }
    }

    /// All fields in order.
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
    /// The slice without spaces and tabs at either end.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        var slice = self
        while let byte = slice.first, byte == ASCII.space || byte == ASCII.tab { slice.removeFirst() }
        while let byte = slice.last, byte == ASCII.space || byte == ASCII.tab { slice.removeLast() }
        return slice
    }
}
