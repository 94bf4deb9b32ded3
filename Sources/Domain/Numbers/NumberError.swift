/// The reason why a number cannot be read or computed.
package enum NumberError: String, Error, Hashable, Sendable {
    /// Only blanks.
    case empty
    /// Not a number in one of the accepted forms.
    case malformed
    /// One separator followed by exactly three digits, which may be decimals or thousands: `1.234` € or g.
    case ambiguous
    /// More decimals than the value has: `0,005` for an amount.
    case tooManyDecimals
    /// Outside the range of the value, or an overflow.
    case outOfRange
    case divisionByZero
    /// Different currencies, or units that cannot be converted, in one computation.
    case mismatch
}
