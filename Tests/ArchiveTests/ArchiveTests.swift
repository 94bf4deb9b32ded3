import Archive
import Crypto
import Domain
import Testing

@Suite(.timeLimit(.minutes(5))) struct ArchiveTests {
    @Test func `reads the archives that it writes`() throws {
        let content = try ArchiveScene.read(try ArchiveScene.archive())
        let folder = "households/\(ArchiveScene.household)/store"
        #expect(
            content.lines == [
                "people {\"name\":\"Anna\"}", "people {\"name\":\"Paul\"}", "\(folder) {\"n\":0}",
                "\(folder) {\"n\":1}",
                "\(folder) {\"n\":2}",
            ])
        #expect(content.picture == (0..<700).map { UInt8($0 & 0xFF) })
    }

    @Test func `splits many documents into files of about one MiB`() throws {
        let sink = ArchiveScene.Bytes()
        let writer = try ArchiveWriter(sink, ArchiveScene.head())
        let part = ArchivePart.documents("store", of: ArchiveScene.household)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        for _ in 0..<50 { try writer.append(line, to: part) }
        let manifest = try writer.finish(ArchiveScene.key)
        #expect(manifest.entries.map(\.fileCount) == [1, 5])
        #expect(try ArchiveScene.read(sink.bytes).lines.count == 50)
    }

    @Test func `refuses an archive with one flipped bit at any position`() throws {
        var archive = try ArchiveScene.archive()
        var accepted: [String] = []
        for position in archive.indices {
            for bit in 0..<8 {
                archive[position] ^= 1 << UInt8(bit)
                if (try? ArchiveScene.read(archive)) != nil { accepted.append("byte \(position), bit \(bit)") }
                archive[position] ^= 1 << UInt8(bit)
            }
        }
        #expect(accepted == [])
    }

    @Test func `refuses an archive that ends early, at every byte`() throws {
        let archive = try ArchiveScene.archive()
        let accepted = archive.indices.filter { (try? ArchiveScene.read(Array(archive[..<$0]))) != nil }
        #expect(accepted == [])
    }

    @Test func `reports where an archive ends early`() throws {
        let archive = try ArchiveScene.archive()
        #expect(throws: ArchiveError.truncated(offset: 1536)) { try ArchiveScene.read(Array(archive[..<1536])) }
    }

    @Test func `names the damaged part of an archive in the error`() throws {
        var archive = try ArchiveScene.archive()
        let line = Array("{\"n\":1}".utf8)
        let place = try #require(archive.indices.first { archive[$0...].starts(with: line) })
        archive[place + 5] = UInt8(ascii: "7")
        #expect(throws: ArchiveError.damaged("households/\(ArchiveScene.household)/store")) {
            try ArchiveScene.read(archive)
        }
    }

    @Test func `refuses bytes after the end of an archive`() throws {
        let archive = try ArchiveScene.archive()
        #expect(throws: ArchiveError.damaged("data after the end")) { try ArchiveScene.read(archive + [0]) }
    }

    @Test func `refuses a wrong passphrase`() throws {
        let archive = try ArchiveScene.archive()
        #expect(throws: ArchiveError.wrongPassphrase) { try ArchiveScene.read(archive, key: ArchiveScene.key(2)) }
    }

    @Test(arguments: [[], Array("PGDMP".utf8), Array("PK\u{3}\u{4}".utf8), [UInt8](repeating: 0, count: 2048)])
    func `refuses files that are not archives`(bytes: [UInt8]) {
        #expect(throws: ArchiveError.notAnArchive) { try ArchiveScene.read(bytes) }
    }

    @Test func `refuses an archive in a later format`() throws {
        let json = String(decoding: ArchiveScene.head().json, as: UTF8.self)
        let laterFormat = Array(json.replacing("\"format\":1", with: "\"format\":2").utf8)
        var bytes = TarHeader(name: "head.json", size: laterFormat.count, time: 1_790_000_000).block + laterFormat
        bytes += [UInt8](repeating: 0, count: TarHeader.padding(laterFormat.count))
        #expect(throws: ArchiveError.newer("format 2")) { try ArchiveScene.read(bytes) }
    }

    static let names = [
        "../../etc/passwd", "/etc/passwd", "people/../head.json", "people/00000001.jsonl/", "people/1.jsonl",
        "people/0000000１.jsonl", "households/x/store/00000001.jsonl",
        "households/\(ArchiveScene.household)/STORE/00000001.jsonl",
        "households/\(ArchiveScene.household)/store/00000000.jsonl",
        "households/\(ArchiveScene.household)/../people/00000001.jsonl",
        "households/\(ArchiveScene.household)/pictures/\(ArchiveScene.picture).exe",
        "households/\(ArchiveScene.household)/pictures/..",
        "C:\\people\\00000001.jsonl", "head.json", "code.txt", "HEAD.JSON", "people//00000001.jsonl", "people",
    ]

    @Test(arguments: names)
    func `refuses a file whose name is not one of the archive format`(name: String) {
        let bytes = ArchiveScene.forgedArchive([(name, Array("{}\n".utf8))])
        #expect(throws: ArchiveError.self) { try ArchiveScene.read(bytes) }
    }

    /// Links, devices and folders have another type in the header.
    @Test(arguments: ["1", "2", "3", "4", "5", "6", "L", "x", "g", "\0"])
    func `refuses an entry that is not a plain file`(type: String) throws {
        var block = TarHeader(name: "people/00000001.jsonl", size: 3, time: 1_790_000_000).block
        block[156] = try #require(type.utf8.first)
        let sum = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        let digits = String(sum, radix: 8)
        block.replaceSubrange(148..<154, with: Array((String(repeating: "0", count: 6 - digits.count) + digits).utf8))
        let bytes = ArchiveScene.forgedArchive([]) + block + Array("{}\n".utf8) + [UInt8](repeating: 0, count: 509)
        #expect(throws: ArchiveError.self) { try ArchiveScene.read(bytes) }
    }

    @Test func `refuses a part that occurs twice, and files that are not numbered in order`() throws {
        let line = Array("{}\n".utf8)
        let store = "households/\(ArchiveScene.household)/store"
        #expect(throws: ArchiveError.invalid("people occurs twice")) {
            try ArchiveScene.read(
                ArchiveScene.forgedArchive([
                    ("people/00000001.jsonl", line), ("\(store)/00000001.jsonl", line), ("people/00000001.jsonl", line),
                ]))
        }
        #expect(throws: ArchiveError.invalid("files of people are out of order")) {
            try ArchiveScene.read(ArchiveScene.forgedArchive([("people/00000002.jsonl", line)]))
        }
    }

    @Test func `refuses a huge size in a header`() throws {
        let huge = TarHeader(name: "people/00000001.jsonl", size: 0o77_777_777_777, time: 1_790_000_000).block
        #expect(throws: ArchiveError.tooLarge("a file of documents")) {
            try ArchiveScene.read(ArchiveScene.forgedArchive([]) + huge)
        }
    }

    @Test func `writes ustar headers with valid checksums, and two empty blocks at the end`() throws {
        let archive = try ArchiveScene.archive()
        // The checksum of a header is the sum of its bytes with eight spaces in its place (POSIX ustar).
        var position = 0
        var names: [String] = []
        while archive[position] != 0 {
            let block = Array(archive[position..<position + 512])
            let sum = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
            let storedChecksum = String(decoding: block[148..<154], as: UTF8.self)
            #expect(Int(storedChecksum, radix: 8) == sum)
            names.append(String(decoding: block.prefix { $0 != 0 }, as: UTF8.self))
            let size = try #require(Int(String(decoding: block[124..<135], as: UTF8.self), radix: 8))
            position += 512 + (size + 511) / 512 * 512
        }
        #expect(names.first == "head.json")
        #expect(names.suffix(2) == ["manifest.json", "code.txt"])
        #expect(archive.count - position == 1024)
    }

    @Test func `refuses a head whose JSON has additional spaces`() throws {
        let json = ArchiveScene.head().json
        let spaced = Array(String(decoding: json, as: UTF8.self).replacing(":", with: ": ").utf8)
        var bytes = TarHeader(name: "head.json", size: spaced.count, time: 1_790_000_000).block + spaced
        bytes += [UInt8](repeating: 0, count: TarHeader.padding(spaced.count))
        #expect(throws: ArchiveError.damaged("head.json")) { try ArchiveScene.read(bytes) }
    }
}
