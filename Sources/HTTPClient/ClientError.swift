/// The reason why a request got no answer.
package enum ClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name has no address.
    case unknownHost
    /// All addresses of the name are in networks to which requests are not allowed.
    case forbiddenAddress
    case notReachable
    /// TLS failed. The value is OpenSSL's reason.
    case tls(String)
    case timedOut
    /// The answer is not HTTP, is incomplete, or is too long.
    case malformedAnswer

    package var description: String {
        switch self {
        case .unknownHost: "unknown host"
        case .forbiddenAddress: "address not allowed"
        case .notReachable: "not reachable"
        case .tls(let reason): "TLS: \(reason)"
        case .timedOut: "timed out"
        case .malformedAnswer: "malformed answer"
        }
    }
}
