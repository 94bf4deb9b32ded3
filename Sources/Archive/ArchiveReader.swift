import Crypto
import Domain

/// The bytes of an archive, from front to back.
package protocol ArchiveSource: AnyObject {
    /// Returns 1 to `count` bytes, or none at the end.
    func read(_ count: Int) throws(ArchiveError) -> [UInt8]
}

/// Reads an archive from front to back, and checks every byte: headers, order, sizes, digests, authentication code,
/// end.
///
/// The authentication code is at the end, so do not trust any file until `next` has returned nil.
package final class ArchiveReader {
    package let head: ArchiveHead
    private let source: any ArchiveSource
    /// The time of creation in seconds since 1970 UTC, which is in the header of each file.
    private let time: Int64
    private let key: ArchiveKey
    private var digest: SHA256Digest
    private var manifest = ArchiveManifest()
    private var knownPaths: Set<String> = []
    private var current: ArchivePart?
    private var openPart: OpenPart
    private var isFinished = false
    /// Bytes read so far.
    package private(set) var offset: Int64
    /// Number of bytes of the current picture that are not read yet.
    private var remainingBytes = 0
    private var padding = 0

    package enum File: Sendable {
        /// The lines of a file of documents, without line feeds.
        case documents(ArchivePart, [ArraySlice<UInt8>])
        /// A picture of this size; `pictureBytes` returns its bytes.
        case picture(ArchivePart, blob: Identifier<Void>, size: Int)
    }

    /// Reads the head.
    ///
    /// - Parameter key: derives the key; called once.
    /// - Throws: `ArchiveError`; the errors of `key`.
    package init(_ source: any ArchiveSource, key: (ArchiveHead) throws -> ArchiveKey) throws {
        self.source = source
        var start = ArchiveStart(source)
        let (header, bytes) = try start.read()
        head = try ArchiveHead(json: bytes)
        time = header.time
        guard time == max(0, head.madeAt) else { throw ArchiveError.damaged("head.json") }
        self.key = try key(head)
        digest = SHA256Digest()
        digest.update(start.consumed)
        offset = Int64(start.consumed.count)
        openPart = OpenPart(path: ArchiveFileName.head.text)
        openPart.entry.fileCount = 1
        openPart.entry.documentCount = 1
        openPart.add(bytes)
        manifest.entries.append(openPart.finish())
    }

    /// The contents read so far; complete after `next` has returned nil.
    package var contents: ArchiveManifest { manifest }

    /// Returns the next file, or nil after the end of a complete and authentic archive.
    package func next() throws(ArchiveError) -> File? {
        guard !isFinished else { return nil }
        while try pictureBytes(ArchiveLimits.documentsFile) != nil {}
        let header = try header()
        guard let name = ArchiveFileName(header.name) else { throw .invalid("an unexpected file name") }
        switch name {
        case .head: throw .invalid("a second head")
        case .code: throw .invalid("a code without a manifest")
        case .manifest:
            try end(header)
            return nil
        case .documents(let part, let number):
            try enter(part)
            guard number == openPart.entry.fileCount + 1 else {
                throw .invalid("files of \(part.path) are out of order")
            }
            guard header.size > 0, header.size <= ArchiveLimits.document + ArchiveLimits.documentsFile else {
                throw .tooLarge("a file of documents")
            }
            openPart.entry.fileCount = number
            let content = try take(header.size)
            try pad(header.size)
            openPart.add(content)
            let lines = try lines(content, part)
            openPart.entry.documentCount += lines.count
            return .documents(part, lines)
        case .picture(let part, let blob, _):
            try enter(part)
            guard header.size <= ArchiveLimits.picture else { throw .tooLarge("a picture") }
            openPart.entry.fileCount += 1
            remainingBytes = header.size
            padding = TarHeader.padding(header.size)
            if remainingBytes == 0 { padding = 0 }
            return .picture(part, blob: blob, size: header.size)
        }
    }

    /// Returns the next bytes of the current picture, or nil at its end.
    package func pictureBytes(_ count: Int) throws(ArchiveError) -> [UInt8]? {
        guard remainingBytes > 0 else { return nil }
        let bytes = try take(min(count, remainingBytes))
        remainingBytes -= bytes.count
        openPart.add(bytes)
        if remainingBytes == 0 { try zeros(padding) }
        return bytes
    }

    // MARK: Parts

    /// Begins a part, unless it is the current one.
    private func enter(_ part: ArchivePart) throws(ArchiveError) {
        guard current != part else { return }
        leave()
        guard knownPaths.insert(part.path).inserted else { throw .invalid("\(part.path) occurs twice") }
        guard knownPaths.count <= ArchiveLimits.parts else { throw .tooLarge("parts") }
        current = part
        openPart = OpenPart(path: part.path)
    }

    /// Ends the current part and adds it to the manifest.
    private func leave() {
        guard current != nil else { return }
        manifest.entries.append(openPart.finish())
        current = nil
    }

    private func lines(_ content: [UInt8], _ part: ArchivePart) throws(ArchiveError) -> [ArraySlice<UInt8>] {
        guard content.last == 0x0A else { throw .damaged(part.path) }
        let lines = content.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.allSatisfy({ !$0.isEmpty && $0.count < ArchiveLimits.document }) else {
            throw .tooLarge("a document in \(part.path)")
        }
        return lines
    }

    /// Checks the manifest, the authentication code and the end of the archive.
    private func end(_ header: TarHeader) throws(ArchiveError) {
        leave()
        guard header.size <= ArchiveLimits.manifest else { throw .tooLarge("manifest.json") }
        let storedBytes = try take(header.size)
        try pad(header.size)
        guard storedBytes == manifest.json else { throw .damaged(manifest.firstDifference(from: storedBytes)) }
        let expected = key.code(digest.finish())
        let lastHeader = try self.header()
        guard lastHeader.name == ArchiveFileName.code.text, lastHeader.size == expected.count else {
            throw .damaged("code.txt")
        }
        let code = try take(expected.count)
        try pad(expected.count)
        guard constantTimeEqual(code, expected) else { throw .wrongPassphrase }
        try zeros(2 * TarHeader.blockSize)
        guard try source.read(1).isEmpty else { throw .damaged("data after the end") }
        isFinished = true
    }

    // MARK: Bytes

    private func header() throws(ArchiveError) -> TarHeader {
        guard let header = TarHeader(block: try take(TarHeader.blockSize)), header.time == time else {
            throw .damaged("a header at byte \(offset - Int64(TarHeader.blockSize))")
        }
        return header
    }

    /// Reads and checks the padding after a file of `size` bytes.
    private func pad(_ size: Int) throws(ArchiveError) { try zeros(TarHeader.padding(size)) }

    /// Reads bytes that must be zero.
    private func zeros(_ count: Int) throws(ArchiveError) {
        guard try take(count).allSatisfy({ $0 == 0 }) else { throw .damaged("padding before byte \(offset)") }
    }

    private func take(_ count: Int) throws(ArchiveError) -> [UInt8] {
        let bytes = try source.readFully(count)
        offset += Int64(bytes.count)
        guard bytes.count == count else { throw .truncated(offset: offset) }
        digest.update(bytes)
        return bytes
    }
}

extension ArchiveSource {
    /// Returns `count` bytes, or fewer at the end. Allocates no more memory than the bytes received.
    func readFully(_ count: Int) throws(ArchiveError) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = try read(count)
        while bytes.count < count {
            let more = try read(count - bytes.count)
            if more.isEmpty { break }
            bytes.append(contentsOf: more)
        }
        return bytes
    }
}
