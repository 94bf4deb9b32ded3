/// Finds the end of a JSON value that arrives in pieces. In a document, also finds its identifier, and the contents of
/// attachments: the strings `data` in the objects of `_attachments`.
///
/// Accepts text that is not valid JSON; the parser reports the error.
struct ValueScan {
    private let isDocument: Bool
    private(set) var isComplete = false
    /// Whether the bytes scanned so far end with the quotation mark before the contents of an attachment. The contents
    /// and the quotation mark after them are not scanned: the caller skips them and calls `skipContents()`.
    private(set) var beginsContents = false
    /// The text of `_id` as written, with its escapes; nil if it was not found.
    private(set) var identifier: [UInt8]?

    /// The open objects and lists, from the outside in; true for objects.
    private var containers: [Bool] = []
    private var isInText = false
    private var isEscaped = false
    /// Whether the value is a number, `true`, `false` or `null`.
    private var isWord = false
    /// Whether the next string is the name of a member.
    private var expectsName = false
    /// Whether the current string is a member name at level 1 or 3, the levels of `_attachments` and `data`.
    private var isName = false
    /// Whether the current string is the value of `_id`.
    private var isIdentifier = false
    /// The bytes of the current name or identifier, at most `maximumName`.
    private var name: [UInt8] = []
    /// The last member names at the levels 1 and 3.
    private var outerName: [UInt8] = []
    private var innerName: [UInt8] = []

    /// The maximum size in bytes. Greater than all names that are compared, and all identifiers that are reported.
    private static let maximumName = 1_000
    private static let identifierName = Array("_id".utf8)
    private static let attachments = Array("_attachments".utf8)
    private static let data = Array("data".utf8)

    init(isDocument: Bool = false) { self.isDocument = isDocument }

    mutating func skipContents() { beginsContents = false }

    /// Returns the number of bytes of `piece` that belong to the value, up to the contents of an attachment.
    mutating func length(of piece: ArraySlice<UInt8>) -> Int {
        var count = 0
        for byte in piece {
            if !isInText, containers.isEmpty, isWord, Self.isDelimiter(byte) {
                isComplete = true
                return count
            }
            count += 1
            if isInText { text(byte) } else { structure(byte) }
            if isComplete || beginsContents { return count }
        }
        return count
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A, 0x5D, 0x7D].contains(byte)
    }

    private mutating func text(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
            isComplete = containers.isEmpty
            if isName { if containers.count == 1 { outerName = name } else { innerName = name } }
            if isIdentifier { identifier = name }
            (isName, isIdentifier) = (false, false)
            return
        }
        if isName || isIdentifier, name.count < Self.maximumName { name.append(byte) }
    }

    private mutating func structure(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""):
            isName = isDocument && expectsName && (containers.count == 1 || containers.count == 3)
            isIdentifier = isDocument && !expectsName && containers == [true] && outerName == Self.identifierName
            name = []
            beginsContents = isDocument && !expectsName && isAtContents
            isInText = !beginsContents
            expectsName = false
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            containers.append(byte == UInt8(ascii: "{"))
            expectsName = byte == UInt8(ascii: "{")
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            // A closing bracket without an opening bracket also ends the value.
            _ = containers.popLast()
            expectsName = false
            isComplete = containers.isEmpty
        case UInt8(ascii: ","): expectsName = containers.last ?? false
        default: if containers.isEmpty { isWord = true }
        }
    }

    private var isAtContents: Bool {
        containers == [true, true, true] && outerName == Self.attachments && innerName == Self.data
    }
}
