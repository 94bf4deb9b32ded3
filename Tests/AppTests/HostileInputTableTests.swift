import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostileInputTableTests {
    /// The numbers of the rows of the table. Each row must name a test.
    private static let rows = Array(35...49) + [51, 52, 53] + Array(55...58) + Array(61...69)

    @Test func `every row of the table names existing tests`() throws {
        let table = try String(
            contentsOfFile: TestSources.root + "/docs/reference/hostile-inputs.md", encoding: .utf8)
        let files = try Self.testFiles()
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

    /// Rows 1–34 are in `hostile-files.md`. A cell names fuzzers, or a suite and then its tests in backticks. `…`
    /// shortens the name of a test.
    @Test func `every row of the table of files names existing tests and fuzzers`() throws {
        let table = try String(
            contentsOfFile: TestSources.root + "/docs/reference/hostile-files.md", encoding: .utf8)
        let files = try Self.testFiles()
        var seen: Set<Int> = []
        for line in table.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("|"), cells.count == 3, cells[0].first?.isNumber == true else { continue }
            for part in cells[0].split(separator: ",") {
                let ends = part.split(separator: "–").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
                seen.formUnion(try #require(ends.first)...(try #require(ends.last)))
            }
            for group in cells[2].split(separator: "; ") {
                let names = group.matches(of: /`([^`]+)`/).map { String($0.output.1) }
                if group.hasPrefix("fuzzer") {
                    for name in names {
                        #expect(files.values.contains { $0.contains("\"\(name)\"") }, "fuzzer \(name)")
                    }
                    continue
                }
                for suite in group.matches(of: /(\w+Tests)/) {
                    let source = try #require(files[String(suite.output.1)], "\(suite.output.1)")
                    for name in names {
                        let start = name.hasSuffix("…") ? String(name.dropLast()) : name
                        #expect(source.contains(start), "\(suite.output.1): \(name)")
                    }
                }
            }
        }
        #expect(seen == Set(1...34))
    }

    /// The contents of every Swift file in Tests, by file name without extension.
    private static func testFiles() throws -> [String: String] {
        var files: [String: String] = [:]
        let folder = TestSources.root + "/Tests"
        for name in try #require(FileManager.default.enumerator(atPath: folder)) {
            guard let name = name as? String, name.hasSuffix(".swift"), let file = name.split(separator: "/").last
            else { continue }
            files[String(file.dropLast(6)), default: ""] += try String(
                contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
        return files
    }
}
