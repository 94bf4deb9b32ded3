import Testing

/// The commands in `bin/`.
@Suite(.timeLimit(.minutes(5))) struct CommandTests {
    @Test func `bin demo passes its arguments to the program`() throws {
        #expect(try Project.text("bin/demo").contains("product_as_owner demo \"$@\""))
    }
}
