/// The reason why a request body could not be read completely. The connection is closed after such an error.
package enum BodyError: Error, Equatable {
    /// The body has more bytes than allowed: 413.
    case tooLarge
    /// The chunked framing or the gzip data is invalid: 400.
    case malformed
    /// The body arrives more slowly than the pace allows: 408.
    case tooSlow
    /// The client has disconnected.
    case disconnected

    /// The status of the answer.
    package var status: Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .malformed, .disconnected: .badRequest
        case .tooSlow: .requestTimeout
        }
    }
}
