/// Returns `bytes` with character references for `&`, `<`, `>`, `"` and `'`, so that they are safe as text and in
/// quoted attributes.
func escapedForHTML(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
        if let reference = htmlReference(byte) {
            result.append(
                contentsOf: UnsafeBufferPointer(start: reference.utf8Start, count: reference.utf8CodeUnitCount))
        } else {
            result.append(byte)
        }
    }
    return result
}

/// Returns the character reference of a byte that must be escaped; nil for other bytes.
@inline(__always)
func htmlReference(_ byte: UInt8) -> StaticString? {
    // Fast path: most bytes are letters, which are above all escaped characters.
    if byte > 0x3E { return nil }
    switch byte {
    case UInt8(ascii: "&"): return "&amp;"
    case UInt8(ascii: "<"): return "&lt;"
    case UInt8(ascii: ">"): return "&gt;"
    case UInt8(ascii: "\""): return "&quot;"
    case UInt8(ascii: "'"): return "&#39;"
    default: return nil
    }
}
