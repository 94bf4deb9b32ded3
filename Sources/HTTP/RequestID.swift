/// The identifier of a request in the log, unique in one process. Printed as sixteen hexadecimal digits.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// A number from a sequence with a random start, so that it does not reveal the time.
    package let value: UInt64

    package init(_ value: UInt64) { self.value = value }

    package var description: String {
        String(unsafeUninitializedCapacity: 16) { digits in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: value >> (60 - 4 * place)) & 15
                digits[place] = digit < 10 ? 48 + digit : 87 + digit
            }
            return 16
        }
    }
}
