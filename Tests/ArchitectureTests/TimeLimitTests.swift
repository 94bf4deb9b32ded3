import Testing

/// Every test has a time limit, so that a test that hangs fails and the run continues.
@Suite(.timeLimit(.minutes(5))) struct TimeLimitTests {
    @Test func `each test has its own time limit or that of its suite`() throws {
        let files = try SourceFile.all(in: "Tests")
        #expect(files.count > 100)
        #expect(files.flatMap(Self.testsWithoutLimit) == [])
    }

    @Test(arguments: [
        ("@Suite(.timeLimit(.minutes(5))) struct A {\n    @Test func b() {}\n}", []),
        ("@Suite(.timeLimit(.minutes(5)))\nstruct A {\n    @Test func b() {}\n}", []),
        ("@Suite(\n    .serialized, .timeLimit(.minutes(5))\n)\nstruct A {\n    @Test func b() {}\n}", []),
        ("@Suite struct A {\n    @Test func b() {}\n}", ["A.swift:2"]),
        (
            "@Suite(.timeLimit(.minutes(5))) struct A {\n}\nstruct B {\n    @Test(.database)\n    func c() {}\n}",
            ["A.swift:4"]
        ),
        ("@Test(.timeLimit(.minutes(5))) func a() {}", []),
        ("@Test func a() {}", ["A.swift:1"]),
    ])
    func `finds tests without a time limit`(text: String, places: [String]) {
        #expect(Self.testsWithoutLimit(SourceFile(path: "A.swift", text: text)) == places)
    }

    /// Returns tests without a time limit, as `path:line`.
    private static func testsWithoutLimit(_ file: SourceFile) -> [String] {
        var isSuiteLimited = false
        return file.lines.enumerated().compactMap { number, line in
            let isLimited = line.contains(".timeLimit(")
            if line.hasPrefix("@Suite") {
                isSuiteLimited = isLimited
            } else if line == "}" {
                isSuiteLimited = false
            } else if isLimited, !line.contains("@Test") {
                // The time limit is in a later line of a `@Suite` attribute.
                isSuiteLimited = true
            }
            guard line.drop(while: { $0 == " " }).firstMatch(of: #/^@Test\b/#) != nil else { return nil }
            return isSuiteLimited || isLimited ? nil : "\(file.path):\(number + 1)"
        }
    }
}
