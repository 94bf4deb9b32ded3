/// The name of a member as a key. Names are equal if they have the same code units (RFC 8259 §8.3); `String` would also
/// regard composed and decomposed characters as equal.
struct MemberName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // A boundary between this name and the value that is hashed next.
        hasher.combine(0xFF as UInt8)
    }
}
