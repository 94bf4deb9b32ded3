import Recognition
import Testing

/// The second engine in the confined child, and a reader without it.
@Suite(.timeLimit(.minutes(15))) struct SecondEngineTests {
    @Test(.enabled(if: ReaderProcess.secondEngine != nil, "The second engine's files are not in var/second-engine"))
    func `a child reads with the engine that its parent loaded`() throws {
        let reader = try ReaderProcess()
        for _ in 0..<2 {
            let page = try #require(try reader.read([JPEGFile.receipt]).document?.pages.first)
            #expect(page.pass == "lines, two engines")
            #expect(page.lines.contains { !$0.secondEngineWords.isEmpty })
        }
    }

    @Test func `a reader that cannot load the second engine reads with the first one`() throws {
        let outcome = try ReaderProcess(secondEngine: "/nonexistent").read([JPEGFile.receipt])
        let page = try #require(outcome.document?.pages.first)
        #expect(page.pass == "lines" && !page.lines.isEmpty && page.lines.allSatisfy { $0.secondEngineWords.isEmpty })
    }
}
