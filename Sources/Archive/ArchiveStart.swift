/// Reads the first file of an archive.
struct ArchiveStart {
    private let source: any ArchiveSource
    /// All bytes read so far.
    private(set) var consumed: [UInt8] = []

    init(_ source: any ArchiveSource) { self.source = source }

    /// - Throws: `notAnArchive` unless the file begins with the name `head.json`; `truncated`, `damaged` or `tooLarge`
    ///   for other errors of the first file.
    mutating func read() throws(ArchiveError) -> (TarHeader, [UInt8]) {
        let block = try source.readFully(TarHeader.blockSize)
        consumed = block
        let name = Array(ArchiveFileName.head.text.utf8)
        // A file that begins with this name is an archive, even if its first block is damaged or truncated.
        guard block.starts(with: name) else { throw .notAnArchive }
        guard block.count == TarHeader.blockSize else { throw .truncated(offset: Int64(block.count)) }
        guard let header = TarHeader(block: block), header.name == ArchiveFileName.head.text else {
            throw .damaged("a header at byte 0")
        }
        guard header.size <= ArchiveLimits.head else { throw .tooLarge("head.json") }
        let paddedSize = header.size + TarHeader.padding(header.size)
        let content = try source.readFully(paddedSize)
        consumed += content
        guard content.count == paddedSize else { throw .truncated(offset: Int64(consumed.count)) }
        guard content[header.size...].allSatisfy({ $0 == 0 }) else {
            throw .damaged("padding before byte \(consumed.count)")
        }
        return (header, Array(content[..<header.size]))
    }
}
