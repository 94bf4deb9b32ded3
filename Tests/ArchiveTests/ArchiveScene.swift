import Archive
import Crypto
import Domain

/// A small archive in memory.
enum ArchiveScene {
    static let household = Identifier<Void>(high: 0x0190_0000_0000_7000, low: 1 << 63 | 7)
    static let picture = Identifier<Void>(high: 0x0190_0000_0000_7001, low: 1 << 63 | 8)
    static let key = key(1)

    static func key(_ byte: UInt8) -> ArchiveKey {
        // Never nil, because the key has 32 bytes.
        ArchiveKey([UInt8](repeating: byte, count: 32))!
    }

    static func head(schema: Int = 33) -> ArchiveHead {
        ArchiveHead(
            program: "0.1.0", schema: schema, installation: household, madeAt: 1_790_000_000, scope: .household,
            households: [.init(id: household, name: "Haus")], salt: [UInt8](repeating: 5, count: 16))
    }

    final class Bytes: ArchiveSink, ArchiveSource {
        var bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8] = []) { self.bytes = bytes }

        func write(_ bytes: [UInt8]) { self.bytes += bytes }

        func read(_ count: Int) throws(ArchiveError) -> [UInt8] {
            let end = min(bytes.count, position + min(count, 1000))
            defer { position = end }
            return Array(bytes[position..<end])
        }
    }

    /// An archive of two people, some stores and a picture.
    static func archive(stores: Int = 3, pictureBytes: Int = 700) throws -> [UInt8] {
        let sink = Bytes()
        let writer = try ArchiveWriter(sink, head())
        for name in ["Anna", "Paul"] { try writer.append(Array("{\"name\":\"\(name)\"}".utf8), to: .people) }
        for number in 0..<stores {
            try writer.append(Array("{\"n\":\(number)}".utf8), to: .documents("store", of: household))
        }
        try writer.beginPicture(picture, of: household, mediaType: "image/jpeg", size: pictureBytes)
        for start in stride(from: 0, to: pictureBytes, by: 400) {
            try writer.append(picture: (start..<min(pictureBytes, start + 400)).map { UInt8($0 & 0xFF) })
        }
        _ = try writer.finish(key)
        return sink.bytes
    }

    struct Content: Equatable {
        var lines: [String] = []
        var picture: [UInt8] = []
    }

    /// Reads the archive to its end.
    static func read(_ bytes: [UInt8], key: ArchiveKey = key) throws -> Content {
        let reader = try ArchiveReader(Bytes(bytes)) { _ in key }
        var content = Content()
        while let file = try reader.next() {
            switch file {
            case .documents(let part, let lines):
                content.lines += lines.map { "\(part.path) \(String(decoding: $0, as: UTF8.self))" }
            case .picture:
                while let piece = try reader.pictureBytes(300) { content.picture += piece }
            }
        }
        return content
    }

    /// An archive of the head and these files with valid headers, but without manifest and authentication code.
    static func forgedArchive(_ files: [(name: String, content: [UInt8])], head: ArchiveHead = head()) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, content) in [("head.json", head.json)] + files {
            bytes += TarHeader(name: name, size: content.count, time: head.madeAt).block + content
            bytes += [UInt8](repeating: 0, count: TarHeader.padding(content.count))
        }
        return bytes
    }
}
