import Archive
import Crypto
import Domain

/// The result of reading a whole archive: its head, its key and its manifest.
struct ArchiveCheck: Sendable {
    let head: ArchiveHead
    let key: ArchiveKey
    let manifest: ArchiveManifest
    /// The size of the file in bytes.
    let size: Int64

    /// Reads the whole archive and verifies it, without storing anything.
    ///
    /// - Throws: `ArchiveError`, `SystemError`, `PasswordHashError`.
    static func run(_ path: String, _ passphrase: Password) throws -> ArchiveCheck {
        try run(path) { head in try ArchiveKey(passphrase: passphrase, salt: head.salt) }
    }

    static func run(_ path: String, key: (ArchiveHead) throws -> ArchiveKey) throws -> ArchiveCheck {
        let file = try ArchiveFile(path)
        var used: ArchiveKey?
        let reader = try ArchiveReader(file) { head in
            let key = try key(head)
            used = key
            return key
        }
        while try reader.next() != nil {}
        guard let used else { throw ArchiveError.notAnArchive }
        return ArchiveCheck(head: reader.head, key: used, manifest: reader.contents, size: file.size)
    }

    /// Opens the archive again, to restore it.
    func reader(_ path: String) throws -> ArchiveReader {
        let reader = try ArchiveReader(try ArchiveFile(path)) { _ in key }
        guard reader.head == head else { throw ArchiveError.damaged("the file was replaced between check and restore") }
        return reader
    }

    var pictureCount: Int { manifest.entries.filter { $0.path.hasSuffix("/pictures") }.reduce(0) { $0 + $1.fileCount } }
    var documentCount: Int { manifest.entries.reduce(0) { $0 + $1.documentCount } }
}
