import Testing

@testable import Mail

@Suite(.timeLimit(.minutes(1))) struct IMAPAnswersTests {
    /// Reads answers whose bytes arrive in pieces of `size`.
    private func answers(_ text: String, _ count: Int, size: Int, maximumLineBytes: Int = 100, literalBytes: Int = 50)
        async throws -> [IMAPAnswers.Answer]
    {
        var answers = IMAPAnswers(maximumLineBytes: maximumLineBytes, literalBytes: literalBytes)
        var rest = Array(text.utf8)[...]
        var found: [IMAPAnswers.Answer] = []
        for _ in 0..<count {
            found.append(
                try await answers.next {
                    defer { rest = rest.dropFirst(size) }
                    return rest.isEmpty ? nil : Array(rest.prefix(size))
                })
        }
        return found
    }

    @Test(arguments: [1, 2, 7, 1_000]) func `reads lines and literals however the bytes are split`(size: Int)
        async throws
    {
        let found = try await answers(
            "* OK hi\r\n* 1 FETCH (BODY[] {5}\r\na\r\nbc UID 7)\r\na1 OK done\r\n", 3, size: size)
        #expect(found.map(\.text) == ["* OK hi", "* 1 FETCH (BODY[]  UID 7)", "a1 OK done"])
        #expect(found[1].literals == [Array("a\r\nbc".utf8)])
    }

    @Test func `refuses an endless line, a long literal and an early end`() async {
        await #expect(throws: MailError.tooLong) {
            try await answers(String(repeating: "x", count: 1_000), 1, size: 10)
        }
        await #expect(throws: MailError.tooLong) { try await answers("* {51}\r\n", 1, size: 10) }
        await #expect(throws: MailError.tooLong) { try await answers("* {9999999999}\r\n", 1, size: 10) }
        await #expect(throws: MailError.ended) { try await answers("* {5}\r\nabc", 1, size: 10) }
        await #expect(throws: MailError.ended) { try await answers("* OK", 1, size: 10) }
    }
}
