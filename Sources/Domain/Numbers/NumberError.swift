/// Why a figure could not be read or computed.
package enum NumberError: String, Error, Hashable, Sendable {
    /// Nothing but blanks.
    case empty
    /// Not a number in one of the accepted forms.
    case malformed
    /// One separator followed by exactly three digits where decimals are as unlikely as thousands: `1.234` € or g.
    case ambiguous
    /// More decimals than the value can hold: `0,005` for an amount.
    case tooManyDecimals
    /// Outside the range of the value, or an overflow while computing.
    case outOfRange
    /// A quantity of zero under a fraction bar.
    case divisionByZero
    /// Two currencies, or two units that measure different things, in one computation.
    case mismatch
}
