import JSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONWriterTests {
    @Test("writes nested values without blanks, and with commas only between values")
    func nests() {
        var json = JSONWriter()
        json.object { json in
            json.member("a", 1)
            json.object("b") { _ in }
            json.array("c") { json in
                json.value("x")
                json.null()
                json.object { $0.member("d", true) }
                json.array { _ in }
            }
            json.member("e", String?.none)
            json.member("f", Int?.none)
            json.member("g", decimal: "-12.90")
        }
        json.endLine()
        json.value(-5)
        #expect(
            json.text == #"{"a":1,"b":{},"c":["x",null,{"d":true},[]],"e":null,"f":null,"g":-12.90}"# + "\n-5")
    }

    @Test(
        "escapes characters that would end a string, a line or a script",
        arguments: [
            ("\"\\/", #""\"\\/""#), ("a\nb\t\0", #""a\nb\u0009\u0000""#),
            ("</script>&", #""\u003c/script\u003e\u0026""#), ("ä€🙂", "\"ä€🙂\""),
            ("x\u{2028}y\u{2029}", #""x\u2028y\u2029""#), ("\u{2027}\u{202A}", "\"\u{2027}\u{202A}\""), ("", "\"\""),
        ])
    func escapes(_ text: String, _ expected: String) throws {
        var json = JSONWriter()
        json.value(text)
        #expect(json.text == expected)
        #expect(try JSONValue(reading: json.bytes) == .string(text))
    }

    @Test(
        "writes a text that is not a decimal number as a string",
        arguments: ["", "-", "1,5", "1.", ".5", "01", "1e5", "--1", "1-", "NaN", "1.2.3"])
    func refusesDecimals(_ text: String) {
        var json = JSONWriter()
        json.value(decimal: text)
        #expect(json.text == "\"\(text)\"")
    }

    @Test("writes decimals unchanged", arguments: ["0", "-0.05", "12.90", "1234567890123.999"])
    func decimals(_ text: String) {
        var json = JSONWriter()
        json.value(decimal: text)
        #expect(json.text == text)
    }

    @Test("writes a value as it was read, with its numbers and order unchanged")
    func roundTrip() throws {
        let text = #"{"b":[1.10,-0,1E2,true,null,{}],"a":"ä"}"#
        #expect(String(decoding: try JSONValue(reading: text).bytes, as: UTF8.self) == text)
    }
}

@Suite(.timeLimit(.minutes(5))) struct JSONCodingTests {
    private struct Order: Codable, Equatable {
        struct Line: Codable, Equatable { var total: Int64 }
        var lines: [Line]
    }

    @Test("encodes and decodes types")
    func roundTrip() throws {
        let order = Order(lines: [.init(total: 9_007_199_254_740_993)])
        #expect(try JSONValue.decode(Order.self, from: JSONValue.encode(order)) == order)
    }

    @Test("reports the path of missing members and wrong types")
    func namesPath() {
        #expect(throws: JSONError(.wrongShape, offset: 0, path: "lines.1.total")) {
            try JSONValue.decode(Order.self, from: Array(#"{"lines":[{"total":1},{"total":"x"}]}"#.utf8))
        }
        #expect(throws: JSONError(.wrongShape, offset: 0, path: "lines")) {
            try JSONValue.decode(Order.self, from: Array("{}".utf8))
        }
    }

    @Test("refuses a repeated name before decoding")
    func refusesDoubledNames() {
        #expect(throws: JSONError(.duplicateName, offset: 12)) {
            try JSONValue.decode(Order.self, from: Array(#"{"lines":[],"lines":[{"total":1}]}"#.utf8))
        }
    }
}
