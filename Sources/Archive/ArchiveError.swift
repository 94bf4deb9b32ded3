/// The reason why a file is not accepted as an archive.
package enum ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file does not begin like an archive.
    case notAnArchive
    /// The archive has a format or a schema of a later version of the program.
    case newer(String)
    /// The file ends early, at this offset in bytes.
    case truncated(offset: Int64)
    /// The content differs from the content written; the value names the place.
    case damaged(String)
    /// The archive was made with another passphrase, or somebody without the passphrase changed it.
    case wrongPassphrase
    /// The content exceeds a limit; the value names it.
    case tooLarge(String)
    /// The archive contains something that archives of this program never contain.
    case invalid(String)
    /// The source could not be read: the value of `errno`.
    case unreadable(Int32)

    package var description: String {
        switch self {
        case .notAnArchive: "the file is not an archive of AllesTeurer"
        case .newer(let what): "the archive was made by a newer version of AllesTeurer (\(what)): upgrade first"
        case .truncated(let offset): "the archive is incomplete: it ends after \(offset) bytes"
        case .damaged(let place): "the archive is damaged (\(place))"
        case .wrongPassphrase: "the archive was made with another passphrase, or it was altered"
        case .tooLarge(let limit): "the archive exceeds a limit (\(limit))"
        case .invalid(let what): "the archive is invalid (\(what))"
        case .unreadable(let code): "the archive cannot be read (error \(code))"
        }
    }
}
