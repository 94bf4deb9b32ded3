/// Host and optional port of a Host field or an absolute target (RFC 9110 §7.2).
struct Authority: Equatable {
    /// The name or address in lower case; an IPv6 address with its brackets.
    let host: String
    let port: Int?

    /// Parses a name or address with an optional port from 1 to 65535. Returns nil for other text, such as a name with
    /// user information.
    init?(_ text: Substring) {
        var text = text
        guard let parsed = text.withUTF8(Authority.init(bytes:)) else { return nil }
        self = parsed
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty, bytes.count <= 255 + 6 else { return nil }
        var end = bytes.count
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), bytes.last != UInt8(ascii: "]") {
            let digits = bytes[(colon + 1)...]
            guard (1...5).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
            guard (1...65535).contains(number) else { return nil }
            port = number
            end = colon
        } else {
            port = nil
        }
        let name = bytes[..<end]
        if name.first == UInt8(ascii: "[") {
            let address = name.dropFirst().dropLast()
            guard name.last == UInt8(ascii: "]"), address.count >= 2,
                address.allSatisfy({ ASCII.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return nil }
        } else {
            guard !name.isEmpty, name.count <= 253,
                name.allSatisfy({ ASCII.isUnreserved($0) && $0 != UInt8(ascii: "~") }),
                name.first != UInt8(ascii: ".")
            else { return nil }
        }
        host = String(unsafeUninitializedCapacity: name.count) { host in
            for (index, byte) in name.enumerated() { host[index] = ASCII.lowercased(byte) }
            return name.count
        }
    }
}
