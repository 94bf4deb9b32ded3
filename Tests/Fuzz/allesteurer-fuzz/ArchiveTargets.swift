import Archive
import Crypto

extension FuzzCommand {
    /// Reads untrusted archives. Nothing after the authentication code is reached, because a fuzzer cannot compute it.
    static let archiveTargets: [String: @Sendable ([UInt8]) -> Void] = [
        "archive": archive, "archive-names": archiveNames,
    ]

    private final class Bytes: ArchiveSource, ArchiveSink {
        var bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func write(_ bytes: [UInt8]) { self.bytes += bytes }

        func read(_ count: Int) throws(ArchiveError) -> [UInt8] {
            let end = min(bytes.count, position + count)
            defer { position = end }
            return Array(bytes[position..<end])
        }
    }

    private static let key = ArchiveKey([UInt8](repeating: 1, count: 32))

    @Sendable private static func archive(_ bytes: [UInt8]) {
        guard let key, let reader = try? ArchiveReader(Bytes(bytes), key: { _ in key }) else { return }
        var pictures = 0
        while let file = try? reader.next() {
            switch file {
            case .documents(_, let lines):
                check(!lines.isEmpty && lines.allSatisfy { !$0.isEmpty }, "a file of documents is not empty")
            case .picture(_, _, let size):
                var read = 0
                while let piece = try? reader.pictureBytes(1000) { read += piece.count }
                check(read <= size, "a picture is not longer than its header says")
                pictures += 1
            }
            check(reader.offset <= Int64(bytes.count), "no more bytes are read than exist")
        }
    }

    @Sendable private static func archiveNames(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let name = ArchiveFileName(text) {
            check(name.text == text, "a name has one spelling")
            check(!text.contains(".."), "a name stays in the archive")
        }
        if let header = TarHeader(block: bytes) { check(header.block == bytes, "a header has one encoding") }
    }
}
