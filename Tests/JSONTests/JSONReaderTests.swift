import JSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONReaderTests {
    @Test("keeps numbers as written and members in order")
    func reads() throws {
        let value = try JSONValue(reading: #" {"b": [1.10, -0, 1E2, true, null], "a": "ä\u00e4\ud83d\ude00\n"} "#)
        #expect(value["b"]?.array == [.number("1.10"), .number("-0"), .number("1E2"), true, nil])
        #expect(value["a"]?.string == "ää😀\n")
        #expect(value.object?.names == ["b", "a"])
        #expect(try JSONValue(reading: "9007199254740993").integer == 9_007_199_254_740_993)
    }

    @Test(
        "refuses everything that is not strictly JSON",
        arguments: [
            ("", JSONError.Reason.unexpectedEnd, 0), ("\u{FEFF}{}", .byteOrderMark, 0), ("[1,]", .unexpectedByte, 3),
            ("{\"a\":1,}", .unexpectedByte, 7), ("[1 2]", .unexpectedByte, 3), ("{} {}", .trailingBytes, 3),
            ("[1", .unexpectedEnd, 2), ("nul", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0),
            ("{\"a\":1,\"\\u0061\":2}", .duplicateName, 7), ("\"\\ud800\"", .loneSurrogate, 3),
            ("\"\\udc00\"", .loneSurrogate, 3), ("\"\\ud800\\u0041\"", .loneSurrogate, 3),
            ("\"\\x41\"", .invalidEscape, 2), ("\"\\u00g0\"", .invalidEscape, 5), ("\"\u{1}\"", .controlCharacter, 1),
            ("01", .invalidNumber, 0), ("1.", .invalidNumber, 0), ("-", .invalidNumber, 0), ("1e", .invalidNumber, 0),
            ("+1", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0), ("1e400", .numberOutOfRange, 0),
            (String(repeating: "1", count: 65), .numberOutOfRange, 0),
            (String(repeating: "[", count: 100_000), .tooDeep, 32),
        ])
    func refuses(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
        #expect(throws: JSONError(reason, offset: offset)) { try JSONValue(reading: text) }
    }

    @Test("distinguishes names that differ only in Unicode composition")
    func comparesCodeUnits() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        var object = try #require(try JSONValue(reading: "{\"\(composed)\": 1, \"\(decomposed)\": 2}").object)
        #expect(object[composed] == 1 && object[decomposed] == 2)
        object[decomposed] = nil
        #expect(object == [composed: 1])
        #expect(object != [decomposed: 1])
        #expect(throws: JSONError(.duplicateName, offset: 8)) {
            try JSONValue(reading: "{\"\(composed)\":1,\"\\u00e9\":2}")
        }
    }

    @Test("refuses invalid UTF-8, UTF-16, and texts over the size limit")
    func refusesBytes() {
        #expect(throws: JSONError(.notUTF8, offset: 0)) { try JSONValue(reading: [0x22, 0xC0, 0xAF, 0x22]) }
        #expect(throws: JSONError.self) { try JSONValue(reading: [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]) }
        #expect(throws: JSONError(.tooLarge, offset: 4)) {
            try JSONValue(reading: "[1,2]", limits: JSONLimits(size: 4))
        }
    }

    @Test("accepts 32 nested arrays, not 33")
    func depth() {
        let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(throws: Never.self) { try JSONValue(reading: deep(32)) }
        #expect(throws: JSONError(.tooDeep, offset: 32)) { try JSONValue(reading: deep(33)) }
    }
}
