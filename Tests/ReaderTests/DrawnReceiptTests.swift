import Foundation
import Testing

/// Drawn receipts, read by `allesteurer read --json`.
///
/// Receipts 1, 3 and 6 of `python3 -m drawer --seed 71 --hardness 0.15 --flat`, run in Tests/Drawer.
@Suite(.serialized, .timeLimit(.minutes(15))) struct DrawnReceiptTests {
    private static let names = ["bipa", "rewe", "dm"]
    private static let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Files"

    struct Receipt: Decodable {
        var state: String?
        let chain: String?
        let date: String?
        let total: String?
        let items: [Item]
    }

    struct Item: Decodable {
        let name: String
        let quantity: String
        let total: String?
        let kind: String

        /// The quantity without trailing zeros, the total and the kind.
        var figures: String { "\(Double(quantity) ?? 0) \(total ?? "?") \(kind)" }
        /// The name with look-alikes unified, such as `1L` and `IL`, or `350G` and `3506`.
        var letters: String {
            let alike: [Character: Character] = ["1": "i", "l": "i", "0": "o", "6": "g", "5": "s", "8": "b"]
            return String(name.lowercased().filter { $0.isLetter || $0.isNumber }.map { alike[$0] ?? $0 })
        }
    }

    /// Parses the output of `allesteurer read --json`, one receipt per line.
    private func read(_ arguments: [String]) throws -> [Receipt] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ReaderProcess.folder + "/allesteurer")
        process.arguments = ["read", "--json"] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try bytes.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Receipt.self, from: $0) }
    }

    private func expected(_ name: String) throws -> Receipt {
        let file = URL(fileURLWithPath: "\(Self.folder)/drawn-\(name).json")
        return try JSONDecoder().decode(Receipt.self, from: Data(contentsOf: file))
    }

    private func check(_ read: Receipt, is expected: Receipt, _ name: String) {
        #expect(read.chain == expected.chain, "\(name)")
        #expect(read.date == expected.date, "\(name)")
        #expect(read.total == expected.total, "\(name)")
        #expect(read.items.map(\.figures) == expected.items.map(\.figures), "\(name)")
        let same = zip(read.items, expected.items).count { $0.letters == $1.letters }
        #expect(same >= expected.items.count - 1, "\(name): \(read.items.map(\.name))")
        #expect(read.state != "unreadable")
    }

    @Test func `reads every figure of the drawn receipts`() throws {
        let readings = try read(Self.names.map { "\(Self.folder)/drawn-\($0).jpg" })
        try #require(readings.count == Self.names.count)
        for (name, receipt) in zip(Self.names, readings) { check(receipt, is: try expected(name), name) }
    }

    @Test func `reads two photos as one receipt`() throws {
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/drawn-rewe.jpg")))
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("drawn-\(UUID())")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let files = try [40..<100, 0..<55].enumerated().map { number, rows in
            let file = scratch.appendingPathComponent("\(number).jpg")
            try Data(JPEGFile.part(of: whole, rows)).write(to: file)
            return file.path
        }
        let readings = try read(["--together"] + files)
        try #require(readings.count == 1)
        check(readings[0], is: try expected("rewe"), "two photos")
    }
}
