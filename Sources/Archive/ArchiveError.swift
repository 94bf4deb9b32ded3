/// The reason why a file is not accepted as an archive.
package enum ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file does not begin like an archive.
    case notAnArchive
    /// The archive has a format or a schema of a later version of the program. The value names this format or schema.
    case newer(String)
    /// The file ends early, at this offset in bytes.
    case truncated(offset: Int64)
    /// The content was changed after it was written. The value says where or how.
    case damaged(String)
    /// The archive was made with another passphrase, or was changed by someone without the passphrase.
    case wrongPassphrase
    /// The content exceeds a limit. The value names what is too large.
    case tooLarge(String)
    /// The archive has a form that this program never writes.
    case invalid(String)
    /// The source could not be read: the value of `errno`.
    case unreadable(Int32)

    package var description: String {
        switch self {
        case .notAnArchive: "the file is not an archive of AllesTeurer"
        case .newer(let version): "the archive was made by a newer version of AllesTeurer (\(version)): upgrade first"
        case .truncated(let offset): "the archive is incomplete: it ends after \(offset) bytes"
        case .damaged(let position): "the archive is damaged (\(position))"
        case .wrongPassphrase: "the archive was made with another passphrase, or it was altered"
        case .tooLarge(let limit): "the archive exceeds a limit (\(limit))"
        case .invalid(let reason): "the archive is invalid (\(reason))"
        case .unreadable(let code): "the archive cannot be read (errno \(code))"
        }
    }
}
