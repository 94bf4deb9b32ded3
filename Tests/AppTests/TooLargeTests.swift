import HTTP
import TestSupport
import Testing

@testable import App

/// A message about an exceeded limit names the right limit.
@Suite(.timeLimit(.minutes(5))) struct TooLargeTests {
    @Test(.database) func `the message for a long text does not mention pictures`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let answer = try await anna.post(
                "/settings/household", ["household": String(repeating: "x", count: 70_000)])
            #expect(answer.status == .contentTooLarge)
            #expect(answer.text.contains("enthält zu viel Text"))
            let content = answer.text.split(separator: "<main").last ?? ""
            #expect(!content.contains("Foto") && !content.contains("Kamera"))
        }
    }

    @Test(.database) func `the message for a large table does not mention pictures`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            // The first form exceeds the limit of a form. In the second form, only the table exceeds its limit.
            for size in [6 << 20, ImportFiles.maximumBytes + 1] {
                let answer = try await anna.upload(
                    "/import", field: "file", fileName: "alt.csv", type: "text/csv",
                    Array(repeating: UInt8(ascii: "x"), count: size))
                #expect(answer.status == .contentTooLarge)
                #expect(answer.text.contains("höchstens 5 MB und 50.000 Zeilen"))
                #expect(!answer.text.contains("Kamera"))
            }
        }
    }
}
