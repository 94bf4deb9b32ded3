/// Parses the answers of an IMAP server from the bytes of its connection.
///
/// An answer is a line. It may contain literals: `{n}` and a line end, followed by `n` bytes of data, after which the
/// line continues (RFC 9051 §4.3).
struct IMAPAnswers {
    struct Answer {
        /// The line without its literals.
        var text = ""
        var literals: [[UInt8]] = []
    }

    /// The maximum size of a line in bytes.
    let maximumLineBytes: Int
    /// The maximum size of all literals of one answer in bytes.
    let literalBytes: Int

    /// The maximum size of an answer in bytes.
    var maximumAnswerBytes: Int { maximumLineBytes + literalBytes }

    private var bytes: [UInt8] = []
    private var position = 0

    init(maximumLineBytes: Int = 1 << 20, literalBytes: Int = 36 << 20) {
        self.maximumLineBytes = maximumLineBytes
        self.literalBytes = literalBytes
    }

    /// Returns the next answer.
    ///
    /// - Parameter more: returns the next bytes of the connection; nil at its end.
    /// - Throws: `MailError`; the errors of `more`.
    mutating func next(_ more: () async throws -> [UInt8]?) async throws -> Answer {
        var answer = Answer()
        var remainingBytes = literalBytes
        while true {
            let line = try await line(more)
            guard answer.text.utf8.count + line.count <= maximumLineBytes else { throw MailError.tooLong }
            guard let size = Self.literal(line) else {
                answer.text += String(decoding: line, as: UTF8.self)
                return answer
            }
            guard size <= remainingBytes, answer.literals.count < 8 else { throw MailError.tooLong }
            remainingBytes -= size
            answer.text += String(
                decoding: line[..<(line.lastIndex(of: UInt8(ascii: "{")) ?? line.endIndex)], as: UTF8.self)
            answer.literals.append(try await take(size, more))
        }
    }

    /// Returns the number `n` of a line that ends with `{n}`; nil for other lines.
    private static func literal(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.last == UInt8(ascii: "}"), let open = line.lastIndex(of: UInt8(ascii: "{")) else { return nil }
        let digits = line[(open + 1)...].dropLast()
        guard (1...10).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Reads a line without CRLF.
    private mutating func line(_ more: () async throws -> [UInt8]?) async throws -> ArraySlice<UInt8> {
        var searched = position
        while true {
            if let end = bytes[searched...].firstIndex(of: 10) {
                let line = bytes[position..<end]
                position = end + 1
                return line.last == 13 ? line.dropLast() : line
            }
            guard bytes.count - position <= maximumLineBytes else { throw MailError.tooLong }
            searched = bytes.count - position
            try await fill(more)
        }
    }

    private mutating func take(_ count: Int, _ more: () async throws -> [UInt8]?) async throws -> [UInt8] {
        while bytes.count - position < count { try await fill(more) }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    /// Removes the bytes that were returned, and appends the next bytes from the connection.
    private mutating func fill(_ more: () async throws -> [UInt8]?) async throws {
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        guard let new = try await more() else { throw MailError.ended }
        bytes += new
    }
}
