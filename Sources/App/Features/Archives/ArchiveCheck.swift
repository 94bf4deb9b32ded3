import Archive
import Crypto
import Domain

/// The content of an archive, known after reading the whole file.
struct ArchiveCheck: Sendable {
    let head: ArchiveHead
    let key: ArchiveKey
    let manifest: ArchiveManifest
    /// The size of the file in bytes.
    let size: Int64

    /// Reads the whole archive without storing anything.
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

    /// Opens the archive again, for restoring.
    func reader(_ path: String) throws -> ArchiveReader {
        let reader = try ArchiveReader(try ArchiveFile(path)) { _ in key }
        guard reader.head == head else { throw ArchiveError.damaged("the file was replaced while it was read") }
        return reader
    }

    var pictures: Int { manifest.entries.filter { $0.path.hasSuffix("/pictures") }.reduce(0) { $0 + $1.files } }
    var documents: Int { manifest.entries.reduce(0) { $0 + $1.documents } }
}
