import Foundation
import TestSupport
import Testing

@Suite struct HostileInputTableTests {
    /// The rows that this version answers for.
    private static let rows = Array(35...49) + [51, 52, 53] + Array(55...58) + Array(61...66)

    @Test func `every row of the table names tests that are there`() throws {
        let table = try String(
            contentsOfFile: TestSources.root + "/docs/reference/hostile-inputs.md", encoding: .utf8)
        var files: [String: String] = [:]
        let folder = TestSources.root + "/Tests"
        for name in try #require(FileManager.default.enumerator(atPath: folder)) {
            guard let name = name as? String, name.hasSuffix(".swift"), let file = name.split(separator: "/").last
            else { continue }
            files[String(file.dropLast(6)), default: ""] += try String(
                contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
        var seen: [Int] = []
        for line in table.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let isRow = line.hasPrefix("|") && cells.count == 3 && Int(cells[0]) != nil
            guard isRow || line.hasPrefix("Row 30") else { continue }
            if isRow { seen.append(Int(cells[0]) ?? 0) }
            let tests = isRow ? cells[2] : String(line)
            let groups = tests.matches(of: /(\w+Tests): ((?:"[^"]+"(?:, )?)+)/)
            #expect(!groups.isEmpty, "\(line)")
            for group in groups {
                let source = try #require(files[String(group.output.1)], "\(group.output.1)")
                for name in group.output.2.matches(of: /"([^"]+)"/) {
                    #expect(source.contains(name.output.1), "\(group.output.1): \(name.output.1)")
                }
            }
        }
        #expect(seen == Self.rows)
    }
}
