extension JSONValue {
    /// Reads one JSON text (RFC 8259) strictly: it must be UTF-8 without byte order mark, with unique names, and only
    /// white space before and after the value.
    ///
    /// - Throws: `JSONError` with the offset of the first error.
    package init(reading bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        guard bytes.count <= limits.size else { throw JSONError(.tooLarge, offset: limits.size) }
        var reader = JSONReader(bytes: Array(bytes), limits: limits)
        self = try reader.text()
    }

    /// Reads JSON from a string. Sizes and offsets are in bytes of UTF-8.
    package init(reading text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(reading: text.utf8, limits: limits)
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func text() throws(JSONError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONError(.byteOrderMark, offset: 0) }
        skipWhiteSpace()
        let value = try value(depth: 0)
        skipWhiteSpace()
        guard position == bytes.count else { throw JSONError(.trailingBytes, offset: position) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: return .number(try number())
        default: throw JSONError(.unexpectedByte, offset: position)
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= limits.depth else { throw JSONError(.tooDeep, offset: position) }
        position += 1
        var members: [JSONObject.Member] = []
        var names: Set<MemberName> = []
        skipWhiteSpace()
        if try take(UInt8(ascii: "}")) { return JSONObject() }
        repeat {
            skipWhiteSpace()
            let start = position
            guard try peek() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, offset: position) }
            let name = try string()
            guard names.insert(MemberName(name)).inserted else { throw JSONError(.duplicateName, offset: start) }
            skipWhiteSpace()
            guard try take(UInt8(ascii: ":")) else { throw JSONError(.unexpectedByte, offset: position) }
            skipWhiteSpace()
            members.append(.init(name: name, value: try value(depth: depth)))
            skipWhiteSpace()
        } while try take(UInt8(ascii: ","))
        guard try take(UInt8(ascii: "}")) else { throw JSONError(.unexpectedByte, offset: position) }
        return JSONObject(checked: members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= limits.depth else { throw JSONError(.tooDeep, offset: position) }
        position += 1
        var elements: [JSONValue] = []
        skipWhiteSpace()
        if try take(UInt8(ascii: "]")) { return [] }
        repeat {
            skipWhiteSpace()
            elements.append(try value(depth: depth))
            skipWhiteSpace()
        } while try take(UInt8(ascii: ","))
        guard try take(UInt8(ascii: "]")) else { throw JSONError(.unexpectedByte, offset: position) }
        return elements
    }

    private mutating func string() throws(JSONError) -> String {
        let start = position
        position += 1
        var unescaped: [UInt8] = []
        var runStart = position
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "\""):
                unescaped += bytes[runStart..<position]
                position += 1
                guard let text = String(validating: unescaped, as: UTF8.self) else {
                    throw JSONError(.notUTF8, offset: start)
                }
                return text
            case UInt8(ascii: "\\"):
                unescaped += bytes[runStart..<position]
                position += 1
                unescaped += try escape()
                runStart = position
            case 0..<0x20: throw JSONError(.controlCharacter, offset: position)
            default: position += 1
            }
        }
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try unicodeEscape())).utf8)
        default: throw JSONError(.invalidEscape, offset: position - 1)
        }
    }

    /// Reads a Unicode scalar from `uXXXX`, or from two such escapes that form a surrogate pair.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        let firstUnit = try codeUnit()
        if let scalar = Unicode.Scalar(firstUnit) { return scalar }
        guard firstUnit < 0xDC00, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            throw JSONError(.loneSurrogate, offset: start)
        }
        position += 2
        let secondUnit = try codeUnit()
        guard (0xDC00...0xDFFF).contains(secondUnit) else { throw JSONError(.loneSurrogate, offset: start) }
        let combined = 0x10000 + (UInt32(firstUnit) - 0xD800) << 10 + (UInt32(secondUnit) - 0xDC00)
        guard let scalar = Unicode.Scalar(combined) else { throw JSONError(.loneSurrogate, offset: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = try peek()
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw JSONError(.invalidEscape, offset: position)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private mutating func number() throws(JSONError) -> String {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let wholeDigits = digits()
        guard !wholeDigits.isEmpty, wholeDigits.count == 1 || wholeDigits.first != UInt8(ascii: "0") else {
            throw JSONError(.invalidNumber, offset: start)
        }
        if next(is: ".") {
            position += 1
            guard !digits().isEmpty else { throw JSONError(.invalidNumber, offset: start) }
        }
        if next(is: "e") || next(is: "E") {
            position += 1
            if next(is: "+") || next(is: "-") { position += 1 }
            let exponent = digits()
            guard !exponent.isEmpty else { throw JSONError(.invalidNumber, offset: start) }
            // Larger exponents are refused, because other programs would read such numbers as infinity or 0, or
            // fail.
            guard let value = Int(String(decoding: exponent, as: UTF8.self)), value <= 308 else {
                throw JSONError(.numberOutOfRange, offset: start)
            }
        }
        guard position - start <= limits.numberLength else { throw JSONError(.numberOutOfRange, offset: start) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { throw JSONError(.unexpectedByte, offset: position) }
        position += expected.count
        return value
    }

    private func next(is character: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, offset: position) }
        return bytes[position]
    }

    private mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
