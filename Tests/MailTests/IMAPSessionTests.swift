import EventLoop
import HTTPClient
import TestSupport
import Testing

@testable import Mail

/// Sessions with a server that sends all answers at once. This is possible because the client's tags are known: a1, a2,
/// ….
@Suite(.timeLimit(.minutes(2))) struct IMAPSessionTests {
    private static let start = "* OK ready\r\na1 OK in\r\n* 3 EXISTS\r\na2 OK [READ-WRITE]\r\n"

    private func session<Value: Sendable>(
        _ answer: String, _ body: @escaping @Sendable (IMAPSession) async throws -> Value
    ) async throws -> Value {
        let mailbox = try #require(Mailbox("imaps://a%22b@localhost"))
        return try await withResult { result in
            try await RawServer.run(answer: answer, isFirst: true) { port in
                let loop = try EventLoop(name: "mail")
                try loop.start()
                defer { loop.stop() }
                result.value = try await Task(executorPreference: loop) {
                    let connections = OutgoingConnections(
                        on: loop, tls: try ClientTLS(authorities: nil), allowsPrivateNetworks: true)
                    let connection = try await connections.open(
                        "127.0.0.1", port, isSecure: false, within: .seconds(60))
                    defer { connection.close() }
                    return try await body(try await IMAPSession(connection, mailbox, password: "p\\w"))
                }.value
            }
        }
    }

    private final class Result<Value> { var value: Value? }

    /// Returns the value that `body` sets, because `RawServer.run` does not return the result of its closure.
    private func withResult<Value>(_ body: (Result<Value>) async throws -> Void) async throws -> Value {
        let result = Result<Value>()
        try await body(result)
        return try #require(result.value)
    }

    @Test func `finds messages, reads their sizes and contents, and marks them as seen`() async throws {
        let answer =
            Self.start + "* SEARCH 9 4\r\n* 4 EXISTS\r\na3 OK\r\n* 2 FETCH (UID 4 RFC822.SIZE 5)\r\na4 OK\r\n"
            + "* 2 FETCH (UID 4 BODY[] {5}\r\na\r\nbc)\r\na5 OK\r\na6 OK\r\na7 OK gone\r\n"
        try await session(answer) { session in
            #expect(try await session.unseenMessages() == [4, 9])
            #expect(try await session.start(of: 4) == IMAPSession.Start(size: 5, header: nil))
            #expect(try await session.message(4) == Array("a\r\nbc".utf8))
            try await session.markSeen(4, isFlagged: true)
            #expect(try await session.message(9) == nil)
        }
    }

    @Test func `reads the sender of a message before the message`() async throws {
        let field = "From: a@b.at\r\n\r\n"
        let name = "BODY[HEADER.FIELDS (FROM AUTHENTICATION-RESULTS)]"
        let answer =
            Self.start + "* 2 FETCH (UID 4 RFC822.SIZE 5 \(name) {\(field.utf8.count)}\r\n\(field))\r\na3 OK\r\n"
            + "* 2 FETCH (\(name) {\(field.utf8.count)}\r\n\(field) RFC822.SIZE 5)\r\na4 OK\r\na5 OK\r\n"
        try await session(answer) { session in
            for _ in 0..<2 {
                let start = try await session.start(of: 4)
                #expect(start == IMAPSession.Start(size: 5, header: Array(field.utf8)))
            }
            let missing = try await session.start(of: 4)
            #expect(missing == nil)
        }
    }

    @Test(arguments: [
        ("* BYE busy\r\n", MailError.malformedAnswer), ("* OK\r\na1 NO wrong password\r\n", .refused("LOGIN")),
        ("* OK\r\na1 OK\r\na2 NO no folder\r\n", .refused("SELECT")), ("* OK\r\n", .ended),
        ("* OK\r\n+ more\r\n", .malformedAnswer), ("* OK\r\n* BYE\r\n", .ended),
    ]) func `ends the session if the server refuses or does not follow the protocol`(
        answer: String, expected: MailError
    ) async {
        await #expect(throws: expected) { try await session(answer) { _ in } }
    }

    @Test(arguments: ["x", "* 1 EXISTS\r\n"]) func `ends the session on an endless answer`(repeated: String) async {
        let answer = "* OK\r\n" + String(repeating: repeated, count: (2 << 20) / repeated.utf8.count)
        await #expect(throws: MailError.tooLong) { try await session(answer) { _ in } }
    }

    @Test func `ends the session on answers that are too large together`() async {
        let literal = "* 1 FETCH (BODY[] {3000000}\r\n" + String(repeating: "x", count: 3_000_000) + ")\r\n"
        let answer = Self.start + String(repeating: literal, count: 13)
        await #expect(throws: MailError.tooLong) { try await session(answer) { try await $0.message(1) } }
    }

    @Test(arguments: [
        ("* 1 FETCH (BODY[] {3}\r\nabcd)\r\na3 OK\r\n", MailError.malformedAnswer),
        ("* 1 FETCH (BODY[] {30}\r\nabc)\r\na3 OK\r\n", .ended),
        ("* 1 FETCH (BODY[] {4000000000}\r\nabc)\r\na3 OK\r\n", .tooLong),
    ]) func `refuses a message whose length is wrong`(answer: String, expected: MailError) async {
        await #expect(throws: expected) { try await session(Self.start + answer) { try await $0.message(1) } }
    }
}
