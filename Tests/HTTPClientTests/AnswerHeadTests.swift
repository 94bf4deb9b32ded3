import Testing

@testable import HTTPClient

@Suite(.timeLimit(.minutes(1))) struct AnswerHeadTests {
    @Test(arguments: [1, 2, 3, 1000]) func `finds the status after interim answers, in parts of any size`(
        _ size: Int
    ) throws {
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nA: b\r\n\r\n"
        let answer = Array("\(interim)HTTP/1.1 204 No\r\n\r\nHTTP".utf8)
        var head = AnswerHead()
        var status: Int?
        for start in stride(from: 0, to: answer.count, by: size) where status == nil {
            head.append(Array(answer[start..<min(start + size, answer.count)]))
            status = try head.status()
        }
        #expect(status == 204)
    }

    /// The test would take hours if the search started again with each part.
    @Test func `the cost of a long head that arrives byte by byte is linear in its size`() throws {
        var head = AnswerHead()
        head.append(Array("HTTP/1.1 200 OK\r\nX: ".utf8))
        var statuses = 0
        for _ in 0..<500_000 {
            head.append([120])
            if try head.status() != nil { statuses += 1 }
        }
        #expect(statuses == 0)
        head.append(Array("\r\n\r\n".utf8))
        let status = try head.status()
        #expect(status == 200)
    }
}
