import Testing

/// The commands in `bin/`.
@Suite struct CommandTests {
    @Test func `bin demo passes its arguments to the program`() throws {
        #expect(try Project.text("bin/demo").contains("product_as_owner demo \"$@\""))
    }
}
