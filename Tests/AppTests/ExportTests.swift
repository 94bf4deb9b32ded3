import Domain
import HTTP
import Postgres
import TestSupport
import Testing

@testable import App

@Suite struct ExportTests {
    @Test(.database) func `no exported field is a formula to a spreadsheet`() async throws {
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
