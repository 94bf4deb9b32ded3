/// The reason why a form or query is refused.
package enum FormError: Error, Equatable {
    /// Broken escapes, invalid UTF-8, or a multipart body that does not match its declaration: 400.
    case malformed
    /// More fields or parts than allowed: 400.
    case tooMany
    /// The body or a part of it has, or declares, more bytes than allowed: 413.
    case tooLarge
    /// A content type that is not supported here: 415.
    case unsupported
    /// The body could not be read.
    case body(BodyError)

    /// The status of the answer.
    package var status: Status {
        switch self {
        case .malformed, .tooMany: .badRequest
        case .tooLarge: .contentTooLarge
        case .unsupported: .unsupportedMediaType
        case .body(let error): error.status
        }
    }
}
