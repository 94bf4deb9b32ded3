import Recognition

/// Why a file could not be turned into a picture or text.
package enum ReadingFailure: Error, Equatable {
    /// Too many pixels or pages.
    case tooLarge
    /// A PDF that opens by a password only.
    case encryptedPDF
    /// No kind of file that is read here.
    case unsupported
    /// Cut short or contradicting itself.
    case damaged
    /// A library had no memory for it.
    case memory
    /// The engine could not start or gave up.
    case engine
}
