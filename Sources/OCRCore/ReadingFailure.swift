import Recognition

/// The reason why a file cannot be decoded or read.
package enum ReadingFailure: Error, Equatable {
    /// Too many pixels or pages.
    case tooLarge
    /// A PDF that requires a password.
    case encryptedPDF
    /// Unsupported type of file.
    case unsupported
    /// Truncated or inconsistent file.
    case damaged
    /// There was not enough memory.
    case memory
    /// The engine could not start, or it failed.
    case engine
}
