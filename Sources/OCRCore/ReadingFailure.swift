import Recognition

/// Why a file could not be turned into a picture or text.
package enum ReadingFailure: Error, Equatable {
    /// Too many pixels or pages.
    case tooLarge
    /// A PDF that requires a password.
    case encryptedPDF
    /// Unsupported type of file.
    case unsupported
    /// Truncated or inconsistent file.
    case damaged
    /// A library had no memory for it.
    case memory
    /// The engine could not start or gave up.
    case engine
}
