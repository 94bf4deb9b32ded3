import Foundation
import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct ZoneOffsetsTests {
    private static let database = "/usr/share/zoneinfo"

    @Test(
        "reads the offsets of the time zone database, for past and future instants",
        .enabled(if: FileManager.default.fileExists(atPath: database), "this machine has no time zone database"),
        arguments: [
            ("Europe/Vienna", 1_795_222_800, 3_600),  // 2026-11-21, CET
            ("Europe/Vienna", 1_782_864_000, 7_200),  // 2026-07-01, CEST
            ("Europe/Vienna", 4_118_000_000, 7_200),  // 2100-06-30, by the yearly rule
            ("Europe/London", 1_795_222_800, 0), ("America/New_York", 1_795_222_800, -18_000),
            ("America/New_York", 4_118_000_000, -14_400), ("Asia/Kolkata", 4_118_000_000, 19_800),
            ("Australia/Sydney", 4_102_444_800, 39_600),  // 2100-01-01, summer in the south
            ("Europe/Vienna", -3_000_000_000, 3_921),  // 1874, local mean time
        ] as [(String, Int, Int)])
    func offsets(name: String, seconds: Int, offset: Int) throws {
        let data = try #require(FileManager.default.contents(atPath: "\(Self.database)/\(name)"))
        let zone = try #require(ZoneOffsets(tzif: Array(data)))
        #expect(zone.offset(at: seconds) == offset)
    }

    @Test(
        "reads a yearly rule, and changes the offset at its instants",
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_745_999, 3_600), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_746_000, 7_200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", 1_792_889_999, 7_200), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_792_890_000, 3_600),
            ("<+0330>-3:30", 0, 12_600), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_767_225_600, 39_600),
        ] as [(String, Int, Int)])
    func rules(text: String, seconds: Int, offset: Int) {
        #expect(ZoneRule(text)?.offset(at: seconds) == offset)
    }

    @Test(arguments: ["", "1", "CET", "CET-1CEST,J60,J300", "CET-1CEST,M13.1.0,M10.5.0"])
    func `refuses malformed and unsupported rules`(text: String) { #expect(ZoneRule(text) == nil) }

    @Test func `refuses bytes that are not a time zone file`() {
        #expect(ZoneOffsets(tzif: []) == nil)
        #expect(ZoneOffsets(tzif: Array("TZif2".utf8) + Array(repeating: 0xFF, count: 200)) == nil)
        #expect(ZoneOffsets(tzif: Array("TZif2".utf8) + Array(repeating: 0, count: 39)) == nil)
    }
}
