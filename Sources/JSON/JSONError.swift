/// The reason why a text was refused, and its position or path.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The kind of an error, with a description for logs as its raw value.
    package enum Reason: String, Sendable {
        case tooLarge = "the text is too large"
        case tooDeep = "arrays and objects are nested too deep"
        case byteOrderMark = "the text starts with a byte order mark"
        case notUTF8 = "the text is not UTF-8"
        case unexpectedEnd = "the text ends early"
        case unexpectedByte = "unexpected character"
        case trailingBytes = "data after the value"
        case controlCharacter = "a control character in a string must be escaped"
        case invalidEscape = "malformed or unknown escape"
        case loneSurrogate = "a surrogate without its pair"
        case duplicateName = "a name occurs twice in an object"
        case invalidNumber = "malformed number"
        case numberOutOfRange = "the number is too long or too large"
        case wrongShape = "a value is missing or has another type than expected"
    }

    /// The kind of the first error, at which reading stops.
    package let reason: Reason
    /// The offset of the error in bytes; 0 for `wrongShape`.
    package let offset: Int
    /// The path to the value for `wrongShape`, such as `lines.3.total`.
    package let path: String

    package init(_ reason: Reason, offset: Int, path: String = "") {
        self.reason = reason
        self.offset = offset
        self.path = path
    }

    package var description: String {
        path.isEmpty
            ? "invalid JSON at byte \(offset): \(reason.rawValue)" : "invalid JSON at \(path): \(reason.rawValue)"
    }
}
