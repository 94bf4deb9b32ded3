import Testing

/// The commands in `bin/`.
@Suite(.timeLimit(.minutes(5))) struct CommandTests {
    @Test func `bin demo passes its arguments to the program`() throws {
        #expect(try Project.text("bin/demo").contains("product_as_owner demo \"$@\""))
    }

    @Test func `bin bench-reading filters by the name of a test that exists`() throws {
        let script = try Project.text("bin/parts/bench_reading.py")
        let filter = try #require(script.firstMatch(of: #/"--filter", "([^"]+)"/#)?.output.1)
        let names = try SourceFile.all(in: "Tests").flatMap(\.testNames).map(\.text)
        #expect(names.contains(filter))
    }
}
