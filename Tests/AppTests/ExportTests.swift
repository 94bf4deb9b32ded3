import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ExportTests {
    @Test(.database) func `exports every confirmed line once, ordered by day, across several batches of receipts`()
        async throws
    {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let start = try #require(LocalDate(parsing: "2026-01-01"))
            for number in 0..<130 {
                let day = start.adding(days: number * 37 % 130).iso
                _ = try scene.receipt(
                    [("WARE \(number)", 100), ("SACK \(number)", 10)], pages: 0, stage: "confirmed",
                    head: .init(day: day))
            }
            _ = try scene.receipt([("OFFEN", 100)])
            let lines = try await anna.get("/export.csv").text.split(separator: "\r\n").dropFirst()
            let names = lines.map { String($0.prefix { $0 != ";" }) }
            #expect(Set(names).count == 260 && names.count == 260)
            #expect(names.prefix(2) == ["WARE 0", "SACK 0"])
            let days = lines.compactMap { $0.split(separator: ";").last.flatMap { LocalDate(parsing: String($0)) } }
            #expect(days.count == 260 && days == days.sorted())
        }
    }

    @Test(.database) func `no exported field can run as a formula in a spreadsheet`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let scene = try harness.scene(anna)
            let names = ["=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\u{9}=1", "=HYPERLINK(\"http://x\",\"y\")"]
            _ = try scene.receipt(names.map { ($0, 100) }, stage: "confirmed")
            let export = try await anna.get("/export.csv")
            #expect(export.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
            let lines = export.text.split(separator: "\r\n").dropFirst()
            #expect(lines.count == names.count)
            for line in lines {
                #expect(line.hasPrefix("'") || line.hasPrefix("\"'"), "\(line)")
            }
        }
    }
}
