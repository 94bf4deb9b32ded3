import Crypto
import Domain

/// Receives the bytes of an archive.
package protocol ArchiveSink: AnyObject {
    func write(_ bytes: [UInt8]) throws
}

/// Writes an archive from front to back. Holds one file of documents in memory: 1 MiB, or one larger document.
package final class ArchiveWriter {
    private let sink: any ArchiveSink
    /// The time of creation in seconds since 1970 UTC, which is in the header of each file.
    private let time: Int64
    private var digest = SHA256Digest()
    private var manifest = ArchiveManifest()
    private var current: ArchivePart?
    private var openPart = OpenPart(path: ArchiveFileName.head.text)
    /// Documents that are not written yet.
    private var lines: [UInt8] = []
    /// The number of bytes of the current picture that are not written yet.
    private var remainingBytes = 0
    /// Bytes written so far.
    package private(set) var written: Int64 = 0

    /// Writes the head.
    package init(_ sink: any ArchiveSink, _ head: ArchiveHead) throws {
        self.sink = sink
        time = max(0, head.madeAt)
        let json = head.json
        guard json.count <= ArchiveLimits.head else { throw ArchiveError.tooLarge("households") }
        openPart.entry.fileCount = 1
        openPart.entry.documentCount = 1
        openPart.add(json)
        try file(.head, json)
        close()
    }

    /// Appends a document. All documents of a part must be appended before another part begins.
    ///
    /// - Parameter line: JSON without a line feed.
    package func append(_ line: some Collection<UInt8>, to part: ArchivePart) throws {
        guard line.count < ArchiveLimits.document else { throw ArchiveError.tooLarge("a document in \(part.path)") }
        try enter(part)
        if lines.count + line.count >= ArchiveLimits.documentsFile { try flushLines() }
        lines.append(contentsOf: line)
        lines.append(0x0A)
        openPart.entry.documentCount += 1
    }

    /// Begins a picture. Its bytes are then written with `append(picture:)`.
    package func beginPicture(_ blob: Identifier<Void>, of household: Identifier<Void>, mediaType: String, size: Int)
        throws
    {
        guard size <= ArchiveLimits.picture else { throw ArchiveError.tooLarge("a picture") }
        let part = ArchivePart.pictures(of: household)
        try enter(part)
        guard remainingBytes == 0 else { throw ArchiveError.invalid("a picture is incomplete in the database") }
        openPart.entry.fileCount += 1
        let name = ArchiveFileName.picture(part, blob: blob, kind: .init(mediaType: mediaType))
        try put(TarHeader(name: name.text, size: size, time: time).block)
        remainingBytes = size
        padding = TarHeader.padding(size)
    }

    private var padding = 0

    package func append(picture bytes: [UInt8]) throws {
        guard bytes.count <= remainingBytes else {
            throw ArchiveError.invalid("a picture is longer than its document says")
        }
        remainingBytes -= bytes.count
        openPart.add(bytes)
        try put(bytes)
        if remainingBytes == 0 { try put([UInt8](repeating: 0, count: padding)) }
    }

    /// Writes the manifest, the authentication code and the end of the archive.
    package func finish(_ key: ArchiveKey) throws -> ArchiveManifest {
        try leave()
        let json = manifest.json
        guard json.count <= ArchiveLimits.manifest else { throw ArchiveError.tooLarge("parts") }
        try file(.manifest, json)
        try file(.code, key.code(digest.finish()))
        try put([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
        return manifest
    }

    /// Begins a part, unless it is the current one.
    private func enter(_ part: ArchivePart) throws {
        guard current != part else { return }
        try leave()
        current = part
        openPart = OpenPart(path: part.path)
    }

    /// Writes the last documents of the current part, and ends it.
    private func leave() throws {
        guard let current else { return }
        if !current.isPictures { try flushLines() }
        guard remainingBytes == 0 else { throw ArchiveError.invalid("a picture is incomplete in the database") }
        close()
        self.current = nil
    }

    private func close() { manifest.entries.append(openPart.finish()) }

    private func flushLines() throws {
        guard let current, !lines.isEmpty else { return }
        openPart.entry.fileCount += 1
        openPart.add(lines)
        try file(.documents(current, number: openPart.entry.fileCount), lines)
        lines.removeAll(keepingCapacity: true)
    }

    private func file(_ name: ArchiveFileName, _ content: [UInt8]) throws {
        try put(TarHeader(name: name.text, size: content.count, time: time).block)
        try put(content)
        try put([UInt8](repeating: 0, count: TarHeader.padding(content.count)))
    }

    private func put(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        digest.update(bytes)
        written += Int64(bytes.count)
        try sink.write(bytes)
    }
}
