import Archive

/// A destination for an archive that stores nothing: it compares the written bytes with an existing archive.
final class ComparedArchive: ArchiveSink {
    private let source: any ArchiveSource
    private var rest: ArraySlice<UInt8> = []
    private(set) var offset: Int64 = 0

    struct Difference: Error, CustomStringConvertible {
        let offset: Int64
        var description: String { "the restored database differs from the archive at byte \(offset) of the archive" }
    }

    init(_ source: any ArchiveSource) { self.source = source }

    func write(_ bytes: [UInt8]) throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            if rest.isEmpty { rest = try source.read(1 << 18)[...] }
            let count = min(rest.count, bytes.count)
            guard count > 0, rest.prefix(count).elementsEqual(bytes.prefix(count)) else {
                throw Difference(offset: offset)
            }
            rest = rest.dropFirst(count)
            bytes = bytes.dropFirst(count)
            offset += Int64(count)
        }
    }

    /// - Throws: `Difference` if the existing archive is longer.
    func finish() throws {
        guard try rest.isEmpty && source.read(1).isEmpty else { throw Difference(offset: offset) }
    }
}
