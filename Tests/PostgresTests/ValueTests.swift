import EventLoop
import TestSupport
import Testing

@testable import Postgres

private enum Kind: String, PostgresConvertible { case item, deposit }

private func roundTrip<Value: PostgresValue & Equatable>(_ value: Value) throws {
    let connection = try SynchronousConnection(TestServer.settings())
    let sql: SQL = "SELECT \(value), \(nil as Value?)"
    let row = try #require(try connection.query(sql).first)
    #expect(try row[0] as Value == value)
    #expect(try row[1] as Value? == nil)
    #expect(throws: PostgresError.self) { try row[1, as: Value.self] }
}

@Suite(.timeLimit(.minutes(5))) struct ValueTests {
    @Test func `reads and writes integers`() throws {
        for value in [Int64.min, -1, 0, 1, .max] { try roundTrip(value) }
        for value in [Int32.min, 0, .max] { try roundTrip(value) }
        for value in [Int16.min, 0, .max] { try roundTrip(value) }
        for value in [Int.min, 0, .max] { try roundTrip(value) }
    }

    @Test func `distinguishes NULL in the first row from a missing row`() throws {
        let connection = try SynchronousConnection(TestServer.settings())
        let found: Int64?? = try connection.query("SELECT NULL::bigint").first(Int64?.self)
        let none: Int64?? = try connection.query("SELECT 1::bigint WHERE false").first(Int64?.self)
        #expect(found != nil && found! == nil)
        #expect(none == nil)
    }

    @Test func `reads and writes booleans, text and fractions`() throws {
        try roundTrip(true)
        try roundTrip(false)
        for text in ["", "a", "Müller's 🥛", String(repeating: "ä", count: 100_000)] { try roundTrip(text) }
        for number in [0.5, -.infinity, .greatestFiniteMagnitude] { try roundTrip(number) }
        try roundTrip(Kind.deposit)
    }

    @Test(arguments: [0, 1, 4095, 4096, 524_288, 8_000_000])
    func `reads and writes byte arrays of any size`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try roundTrip(bytes)
        try roundTrip(bytes[(count / 3)...])
    }

    @Test func `sends several large values in one statement`() throws {
        let connection = try SynchronousConnection(TestServer.settings())
        let first = [UInt8](repeating: 1, count: 5000)
        let second = [UInt8](repeating: 2, count: 6000)
        let row = try #require(try connection.query("SELECT \(first), \(7), \(second), \("x")").first)
        let (a, b, c, d) = try row.decode(([UInt8], Int, [UInt8], String).self)
        #expect(a == first)
        #expect(b == 7)
        #expect(c == second)
        #expect(d == "x")
    }

    @Test func `reads and writes identifiers, days and instants`() throws {
        try roundTrip(PostgresUUID(high: 0x0123_4567_89AB_7DEF, low: 0x8123_4567_89AB_CDEF))
        try roundTrip(PostgresDate(daysSince1970: 19_782))
        try roundTrip(PostgresDate(daysSince1970: -719_162))
        try roundTrip(PostgresInstant(microsecondsSince1970: -1))
        try roundTrip(PostgresInstant(microsecondsSince1970: 1_795_222_861_123_456))
        try roundTrip(PostgresTime(microsecondsSinceMidnight: 86_399_999_999))
    }

    @Test func `PostgreSQL reads values as they were written`() throws {
        let connection = try SynchronousConnection(TestServer.settings())
        let row = try #require(
            try connection.query(
                """
                SELECT \(PostgresUUID(high: 0x0123_4567_89AB_7DEF, low: 0x8123_4567_89AB_CDEF))::text,
                    \(PostgresDate(daysSince1970: 20_778))::text,
                    (\(PostgresInstant(microsecondsSince1970: 1_795_222_861_123_456)) AT TIME ZONE 'UTC')::text,
                    \(PostgresJSON(#"{"a": [1, 2]}"#)) -> 'a' ->> 1
                """
            ).first)
        let texts = try row.decode((String, String, String, String).self)
        #expect(texts.0 == "01234567-89ab-7def-8123-456789abcdef")
        #expect(texts.1 == "2026-11-21")
        #expect(texts.2 == "2026-11-21 01:01:01.123456")
        #expect(texts.3 == "2")
    }

    @Test func `refuses an instant that 64 bits cannot hold`() throws {
        let connection = try SynchronousConnection(TestServer.settings())
        let rows = try connection.query("SELECT timestamptz '294276-12-31 23:59:59+00'")
        #expect(throws: PostgresError.self) { try rows.first(PostgresInstant.self) }
        // An instant that is too early is refused by PostgreSQL, not replaced by the earliest one.
        #expect(throws: PostgresError.self) {
            try connection.query("SELECT \(PostgresInstant(microsecondsSince1970: .min))::text")
        }
    }

    @Test func `reads and writes arrays`() throws {
        try roundTrip([Int64]())
        try roundTrip([Int64.min, 0, .max])
        try roundTrip(["", "a,b", "{\"}"])
        try roundTrip([[UInt8]](repeating: [UInt8](repeating: 9, count: 5000), count: 3))
        try roundTrip([PostgresUUID(high: 1, low: 2)])
        try roundTrip([Int64?.none, 5, nil])
        let connection = try SynchronousConnection(TestServer.settings())
        let rows = try connection.query("SELECT n FROM generate_series(1, 9) n WHERE n = ANY(\([2, 5, 11]))")
        #expect(try rows.decode(Int.self) == [2, 5])
    }

    @Test(arguments: [
        ("0", 0), ("-1", -1), ("10000", 10_000), ("120000000", 120_000_000), ("5.000", 5),
        ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
    ])
    func `reads integral numerics as integers`(text: String, expected: Int64) throws {
        let connection = try SynchronousConnection(TestServer.settings())
        #expect(try connection.query("SELECT \(text)::numeric").first(Int64.self) == expected)
    }

    @Test(arguments: ["0.5", "9223372036854775808", "NaN", "Infinity", "100000000000000000000"])
    func `refuses to decode fractions, NaN and numerics out of range as integers`(text: String) throws {
        let connection = try SynchronousConnection(TestServer.settings())
        let rows = try connection.query("SELECT \(text)::numeric")
        #expect(throws: PostgresError.self) { try rows.first(Int64.self) }
    }

    @Test func `names the column in the error for a wrong type`() throws {
        let connection = try SynchronousConnection(TestServer.settings())
        let row = try #require(try connection.query("SELECT 1 AS one, 'x'::text AS word, NULL::int AS gap").first)
        let wrong = try #require(throws: PostgresError.self) { try row[1, as: Int64.self] }
        #expect(wrong.kind == .decoding)
        #expect(wrong.column == "word")
        #expect(wrong.message == #"column "word" is text, requested as Int64"#)
        let null = try #require(throws: PostgresError.self) { try row.decode((Int, String, Int).self) }
        #expect(null.message == #"column "gap" is null, requested as Int"#)
        #expect(throws: PostgresError.self) { try row[0, as: Kind.self] }
    }

    @Test func `decodes structs column by column`() throws {
        struct Line: RowDecodable, Equatable {
            var name: String
            var cents: Int64
            var note: String?

            init(from row: inout RowReader) throws(PostgresError) {
                name = try row.next()
                cents = try row.next()
                note = try row.next()
            }
        }
        let connection = try SynchronousConnection(TestServer.settings())
        let lines: [Line] = try connection.query(
            "SELECT 'Milch', n::bigint, CASE WHEN n = 2 THEN 'x' END FROM generate_series(1, 2) n"
        ).decode()
        #expect(lines.map(\.cents) == [1, 2])
        #expect(lines.map(\.note) == [nil, "x"])
    }
}
