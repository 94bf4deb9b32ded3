/// A violation of the protocol. Nothing that the other side sends afterwards can be trusted.
package enum WireError: Error, Equatable {
    /// A payload beyond ``Frame/maximumPayload``.
    case frameTooLong
    /// More bytes than the receiver's limit.
    case messageTooLong
    /// An invalid kind, count, length or text.
    case malformed
}
