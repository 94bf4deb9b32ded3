/// Parses `multipart/form-data` (RFC 7578) incrementally: a pure state machine that buffers at most the bytes fed last
/// and one incomplete head or delimiter.
struct MultipartDecoder {
    enum Event: Equatable {
        case part(MultipartPart)
        case data([UInt8])
        case partEnd
        case end
    }

    private enum State {
        case firstDelimiter
        case afterDelimiter
        case head
        case content
        case epilogue
    }

    /// Maximum number of bytes of the head of a part.
    static let maximumHead = 4096

    private let delimiter: [UInt8]
    private let maximumParts: Int
    private var state = State.firstDelimiter
    private var buffer: [UInt8] = []
    /// Index in `buffer` of the first byte that is not yet processed.
    private var start = 0
    /// Index in `buffer` up to which the end of a head was searched, so that no byte is searched twice.
    private var searchedEnd = 0
    /// Number of parts begun so far.
    private var parts = 0

    init(boundary: String, maximumParts: Int) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.maximumParts = maximumParts
    }

    var isComplete: Bool {
        if case .epilogue = state { return true }
        return false
    }

    mutating func feed(_ bytes: [UInt8]) {
        if start == buffer.count {
            buffer = bytes
            searchedEnd = 0
        } else {
            buffer.removeFirst(start)
            searchedEnd = max(0, searchedEnd - start)
            buffer.append(contentsOf: bytes)
        }
        start = 0
    }

    /// Returns the next event, or nil if more bytes are needed.
    mutating func next() throws(FormError) -> Event? {
        while true {
            let remainingBytes = buffer[start...]
            switch state {
            case .firstDelimiter:
                // The first delimiter has no line end before it. Text before the first delimiter (a preamble) is
                // refused, because no browser sends it.
                let firstDelimiter = delimiter.dropFirst(2)
                guard
                    remainingBytes.prefix(firstDelimiter.count).elementsEqual(
                        firstDelimiter.prefix(remainingBytes.count))
                else { throw .malformed }
                guard remainingBytes.count >= firstDelimiter.count else { return nil }
                start += firstDelimiter.count
                state = .afterDelimiter
            case .afterDelimiter:
                guard remainingBytes.count >= 2 else { return nil }
                start += 2
                if remainingBytes.starts(with: "--".utf8) {
                    state = .epilogue
                    return .end
                }
                guard remainingBytes.starts(with: "\r\n".utf8) else { throw .malformed }
                parts += 1
                guard parts <= maximumParts else { throw .tooMany }
                state = .head
            case .head:
                guard let end = headEnd(remainingBytes) else {
                    guard remainingBytes.count <= Self.maximumHead else { throw .tooLarge }
                    return nil
                }
                guard end - start <= Self.maximumHead else { throw .tooLarge }
                let part = try MultipartPart(head: buffer[start..<end])
                start = end + 4
                state = .content
                return .part(part)
            case .content: return nextContent(remainingBytes)
            case .epilogue:
                start = buffer.count
                return nil
            }
        }
    }

    /// Returns the index of the empty line after the head of a part; nil if it has not arrived.
    private mutating func headEnd(_ rest: ArraySlice<UInt8>) -> Int? {
        let blank: [UInt8] = [13, 10, 13, 10]
        var index = max(rest.startIndex, searchedEnd)
        let lastStart = min(rest.endIndex, rest.startIndex + Self.maximumHead + 5) - 4
        while index <= lastStart {
            if buffer[index] == 13, rest[index..<index + 4].elementsEqual(blank) { return index }
            index += 1
        }
        searchedEnd = index
        return nil
    }

    private mutating func nextContent(_ rest: ArraySlice<UInt8>) -> Event? {
        guard !rest.isEmpty else { return nil }
        var index = rest.startIndex
        while true {
            index = rest[index...].firstIndex(of: ASCII.carriageReturn) ?? rest.endIndex
            let candidate = rest[index...].prefix(delimiter.count)
            guard candidate.elementsEqual(delimiter.prefix(candidate.count)) else {
                index += 1
                continue
            }
            break
        }
        if index > rest.startIndex {
            start = index
            return .data(Array(rest[..<index]))
        }
        // The buffer begins with a delimiter, or with the beginning of one.
        guard rest.count >= delimiter.count else { return nil }
        start += delimiter.count
        state = .afterDelimiter
        return .partEnd
    }
}
