/// The reason why a bank's file cannot be read.
package enum BankFileFailure: Error, Hashable, Sendable {
    case tooLarge
    /// More than `BankFileLimits.maximumBookings`.
    case tooManyBookings
    case unknownFormat
    /// The XML is broken on this line.
    case brokenXML(line: Int)
    /// The XML declares a document type or entities, which files of banks do not need.
    case entities
    /// A quote was opened on this line and never closed.
    case openQuote(line: Int)
    /// A required field of MT940 is missing or malformed on this line.
    case brokenField(line: Int)
    /// The file is well-formed but has no bookings.
    case empty
}
