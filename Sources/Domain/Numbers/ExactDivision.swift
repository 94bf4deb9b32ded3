/// `dividend` / `divisor`, rounded half away from zero, as tills round.
///
/// - Throws: `divisionByZero`, or `outOfRange` when the result does not fit.
func roundedQuotient(_ dividend: Int128, _ divisor: Int128) throws(NumberError) -> Int64 {
    guard divisor != 0 else { throw .divisionByZero }
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    let isHalfOrMore = remainder.magnitude * 2 >= divisor.magnitude
    let away: Int128 = (dividend < 0) == (divisor < 0) ? 1 : -1
    guard let result = Int64(exactly: isHalfOrMore ? quotient + away : quotient) else { throw .outOfRange }
    return result
}
