/// The reason why a job failed.
package enum ReadingFailureReason: UInt8, Equatable, Sendable, CaseIterable {
    /// No text and no code was found. The pictures can still be requested before `done`.
    case unreadable = 1
    /// Too many pixels or pages.
    case tooLarge
    /// A PDF that requires a password.
    case encryptedPDF
    /// Unsupported type of file.
    case unsupported
    /// Truncated or inconsistent file.
    case damaged
    /// The child used up its CPU time, or it was blocked until the time limit.
    case timeout
    /// The child was ended by a signal, violated the protocol, or the OCR engine failed.
    case crashed
    /// Out of memory.
    case memory
    /// The child reached the time limit because other processes used the processors. Another attempt may succeed.
    case overloaded

    /// The name used in logs and texts.
    package var name: String {
        switch self {
        case .unreadable: "unreadable"
        case .tooLarge: "too-large"
        case .encryptedPDF: "encrypted-pdf"
        case .unsupported: "unsupported"
        case .damaged: "damaged"
        case .timeout: "timeout"
        case .crashed: "crashed"
        case .memory: "memory"
        case .overloaded: "overloaded"
        }
    }
}
