/// The start of an answer, up to the end of its head. The search for the end of the head reads each byte only once,
/// even if the bytes arrive one by one.
struct AnswerHead {
    private var bytes: [UInt8] = []
    /// The index before which no end of a head begins.
    private var searchedEnd = 0

    private static let start = Array("HTTP/1.".utf8)

    /// The number of bytes received, without the interim heads that `status()` removed.
    var count: Int { bytes.count }

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Returns the status of the first complete head that is not interim, and removes interim heads (1xx). Returns nil
    /// if more bytes are needed.
    mutating func status() throws(ClientError) -> Int? {
        while true {
            guard bytes.prefix(Self.start.count).elementsEqual(Self.start.prefix(bytes.count)) else {
                throw .malformedAnswer
            }
            guard let end = end() else { return nil }
            let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
            guard line.count >= 2, line[1].utf8.count == 3, let status = Int(line[1]), (100...599).contains(status)
            else {
                throw .malformedAnswer
            }
            if status >= 200 { return status }
            bytes.removeFirst(end)
            searchedEnd = 0
        }
    }

    /// Returns the index after the empty line that ends the head; nil if it has not arrived.
    private mutating func end() -> Int? {
        while searchedEnd + 4 <= bytes.count {
            if bytes[searchedEnd] == 13, bytes[searchedEnd + 1] == 10, bytes[searchedEnd + 2] == 13,
                bytes[searchedEnd + 3] == 10
            {
                return searchedEnd + 4
            }
            searchedEnd += 1
        }
        return nil
    }
}
