import HTTP

/// A request that the server refused before it reached the responder, for the log.
package struct RefusedRequest: Sendable {
    /// The identifier of the request.
    package let id: RequestID
    /// The other end of the connection; forwarded addresses are not considered here.
    package let peer: PeerAddress
    /// Whether the connection is TLS.
    package let isSecure: Bool
    /// The status of the answer and the reason, which contains no data of the request.
    package let refusal: RequestRefusal
}
