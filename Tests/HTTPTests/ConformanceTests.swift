import Foundation
import Testing

@testable import HTTP

/// A test case from the corpus of the parser llhttp, read from the shared test data.
struct ConformanceVector: Decodable, Sendable, CustomTestStringConvertible {
    let file: String
    let name: String
    let mode: String
    let inputBase64: String
    let expect: String
    let messages: Int

    enum CodingKeys: String, CodingKey {
        case file, name, mode, expect, messages
        case inputBase64 = "input_b64"
    }

    var testDescription: String { "\(file): \(name)" }

    /// The bytes of the request. Some heads of the corpus lack the empty line at their end. The empty line is added if
    /// the head ends with a line end. It is also added if the parser must refuse the head, because the parser checks
    /// limits only when a line is complete.
    var input: [UInt8] {
        let bytes = Array(Data(base64Encoded: inputBase64) ?? Data())
        if bytes.suffix(2) == [13, 10] { return bytes + [13, 10] }
        return expect == "reject" ? bytes + [13, 10, 13, 10] : bytes
    }

    static let path =
        (ProcessInfo.processInfo.environment["ALLESTEURER_TEST_DATA"] ?? "../shared") + "/http-vectors/llhttp.jsonl"
    static let isPresent = FileManager.default.fileExists(atPath: path)

    static let strict: [ConformanceVector] = {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(ConformanceVector.self, from: Data($0.utf8))
        }.filter { $0.mode == "request" }
    }()

    /// Test cases that do not apply to this parser, each with the reason.
    static let excluded: [String: String] = [
        "connection.md: Multiple tokens with folding and LWS": "Upgrade: llhttp pauses, we ignore the field",
        "connection.md: Setting a flag and pausing": "Upgrade: llhttp pauses, we ignore the field",
        "connection.md: Emitting part of body and pausing": "Upgrade: llhttp pauses, we ignore the field",
        "connection.md: Upgrade GET request": "Upgrade: llhttp pauses, we ignore the field",
        "connection.md: Upgrade POST request": "Upgrade: llhttp pauses, we ignore the field",
        "method.md: CONNECT request": "CONNECT: llhttp pauses for a tunnel, the head check answers 501",
        "method.md: CONNECT request with CAPS": "CONNECT: llhttp pauses for a tunnel, the head check answers 501",
        "method.md: CONNECT with body": "CONNECT: llhttp pauses for a tunnel, the head check answers 501",
        "uri.md: Underscore in hostname": "CONNECT: llhttp pauses for a tunnel, the head check answers 501",
        "method.md: SOURCE request with ICE": "ICE is another protocol",
        "method.md: OPTIONS request with RTSP": "RTSP is another protocol",
        "method.md: ANNOUNCE request with RTSP": "RTSP is another protocol",
        "content-length.md: Content-Length reset when no body is received": "llhttp is told to skip the body here",
        "sample.md: No HTTP version": "HTTP/0.9 is not served",
    ]
}

@Suite(.enabled(if: ConformanceVector.isPresent, "the shared test data are missing"), .timeLimit(.minutes(5)))
struct ConformanceTests {
    @Test("reads all 131 test cases for strict parsers, including the excluded ones")
    func completeCorpus() {
        #expect(ConformanceVector.strict.count == 131)
        let names = Set(ConformanceVector.strict.map(\.testDescription))
        #expect(ConformanceVector.excluded.keys.allSatisfy(names.contains))
    }

    @Test(
        "answers each test case of the corpus as expected, however its bytes are split",
        arguments: ConformanceVector.strict)
    func vector(_ vector: ConformanceVector) {
        let trace = ParserTrace(vector.input)
        #expect(ParserTrace(vector.input.map { [$0] }) == trace)
        guard ConformanceVector.excluded[vector.testDescription] == nil else { return }
        if vector.expect == "accept" {
            #expect(trace.refusal == nil, "\(trace)")
            #expect(trace.messages == vector.messages, "\(trace)")
        } else {
            // llhttp refuses bytes after a request that ends the connection; this parser ignores them.
            #expect(trace.refusal != nil || trace.ignored.contains { $0 != 13 && $0 != 10 }, "\(trace)")
        }
    }
}
