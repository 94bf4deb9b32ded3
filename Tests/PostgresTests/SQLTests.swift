import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct SQLTests {
    @Test func `turns interpolated values into placeholders`() {
        let name = "x'; DROP TABLE product; --"
        let sql: SQL = "SELECT * FROM product WHERE name = \(name) AND price > \(Int64(5)) LIMIT \(10)"
        #expect(sql.text == "SELECT * FROM product WHERE name = $1 AND price > $2 LIMIT $3")
        #expect(sql.parameters.entries.map(\.type) == [.text, .int8, .int8])
    }

    @Test func `renumbers the placeholders of parts`() {
        let both: SQL = ["a = \(1)", "b = \("x") OR c = '$1'", "d"].joined(separator: " AND ")
        let sql: SQL = "SELECT \(7) WHERE \(both) ORDER BY \("day DESC" as SQL) LIMIT \(2)"
        #expect(sql.text == "SELECT $1 WHERE a = $2 AND b = $3 OR c = '$1' AND d ORDER BY day DESC LIMIT $4")
        #expect(sql.parameters.entries.map(\.type) == [.int8, .int8, .text, .int8])
        #expect(sql.parameters.entries.map(\.offset) == [0, 8, 16, 17])
    }

    @Test func `renumbers more than nine values`() {
        var part: SQL = ""
        for number in 1...12 { part = "\(part) \(number)" }
        let sql: SQL = "\(0)\(part)"
        #expect(sql.text == "$1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11 $12 $13")
        let twice = sql + " " + sql
        #expect(twice.text.hasSuffix("$25 $26"))
        #expect(twice.parameters.count == 26)
    }

    @Test func `descriptions of statements contain no values`() {
        let sql: SQL = "SELECT \("secret")"
        #expect("\(sql)" == "SELECT $1")
    }

    @Test func `keeps large byte arrays by reference`() {
        let bytes = [UInt8](repeating: 1, count: 512 * 1024)
        let sql: SQL = "INSERT INTO t VALUES (\(1), \(bytes))"
        #expect(sql.parameters.bytes.count == 8)
        #expect(sql.parameters.large.count == 1)
    }

    @Test func `refuses text with NUL`() {
        #expect(("SELECT \("a\0b")" as SQL).parameters.isInvalid)
        #expect(("SELECT \(["a", "b\0"])" as SQL).parameters.isInvalid)
        #expect(!("SELECT \(1)" as SQL).parameters.isInvalid)
    }

    @Test func `refuses more than 65535 values`() {
        let most = (0..<65_535).map { "\($0)" as SQL }.joined(separator: ", ")
        #expect(!most.parameters.isInvalid)
        #expect(("\(most), \(1)" as SQL).parameters.isInvalid)
        #expect(("\(1), \(most)" as SQL).parameters.isInvalid)
    }

    @Test func `turns a URL into parameters with safe defaults`() throws {
        let settings = try PostgresSettings(url: "postgresql://app@db.example:5433/store?sslmode=require")
        #expect(settings["host"] == "db.example")
        #expect(settings["port"] == "5433")
        #expect(settings["user"] == "app")
        #expect(settings["dbname"] == "store")
        #expect(settings["sslmode"] == "require")
        #expect(settings["target_session_attrs"] == "read-write")
        #expect(settings["connect_timeout"] == "10")
        #expect(settings.needsResolution)
        #expect(try !PostgresSettings(url: "postgresql:///store?host=/run/pg").needsResolution)
    }

    @Test func `refuses an invalid URL without quoting it`() throws {
        let error = try #require(throws: PostgresError.self) {
            try PostgresSettings(url: "postgresql://u:sesame@h/?nonsense=1")
        }
        #expect(!error.description.contains("sesame"))
    }

    @Test func `describes settings without the password`() throws {
        let settings = try PostgresSettings(url: "postgresql://u:sesame@h/")
        #expect(!"\(settings)".contains("sesame"))
        #expect(!String(reflecting: settings).contains("sesame"))
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!dumped.contains("sesame"))
    }

    @Test func `resolves hosts to all their addresses`() throws {
        let settings = try PostgresSettings(url: "host=127.0.0.1,/run/x,::1 port=5432,5433,5434").resolved()
        #expect(settings["hostaddr"] == "127.0.0.1,,::1")
        #expect(settings["port"] == "5432,5433,5434")
        #expect(!settings.needsResolution)
    }
}
