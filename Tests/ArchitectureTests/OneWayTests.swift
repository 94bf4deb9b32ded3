import Testing

/// Tasks that the app does in one way only.
@Suite struct OneWayTests {
    @Test func `a Store is a shop, persistence has other names`() throws {
        let pattern = #/\b(?:struct|class|enum|actor|protocol|typealias) \w*Stores?\b/#
        #expect(try SourceFile.all(in: "Sources").flatMap { $0.matches(pattern) } == [])
    }
}
