/// Parses the requests of one connection incrementally: a pure state machine (RFC 9112).
///
/// The parser is strict where lenient parsers have been attacked. Lines must end in CR LF. Spaces before a colon and
/// folded lines are refused. A body must have exactly one length. The events do not depend on how the input is split.
/// The time is linear in the number of bytes. At most one head is in memory.
package struct RequestParser: Sendable {
    /// An event of a request. Each request has one `head`, any number of `body`, and one `end`.
    package enum Event: Sendable {
        case head(MessageHead)
        /// The range of the input that holds bytes of the body.
        case body(Range<Int>)
        case end
    }

    /// Sizes in bytes, without line ends. Larger requests are refused with 414 or 431.
    package struct Limits: Sendable {
        /// RFC 9112 §3 recommends at least 8,000 bytes.
        package var requestLine = 8 * 1024
        /// Number of fields in one head.
        package var fields = 64
        /// All field lines of one head together.
        package var fieldBytes = 16 * 1024
        /// The line of a chunk's size, with its extensions, which are ignored.
        package var chunkLine = 512
        /// All trailer lines of one body together.
        package var trailerBytes = 4 * 1024

        package init() {}
    }

    private enum State {
        case requestLine
        case fields
        case body(remaining: Int)
        case chunkSize
        case chunkData(remaining: Int)
        case chunkEnd
        case trailers
        case complete
        case finished
        case failed(RequestRefusal)
    }

    private let limits: Limits
    private var state = State.requestLine
    private var skippedEmptyLine = false
    /// The part of the head, chunk line or trailer line received so far.
    private var text: [UInt8] = []
    /// Index in `text` at which the current line starts.
    private var lineStart = 0
    /// Index in `text` at which the first field line starts.
    private var fieldStart = 0
    private var fields: [Headers.Field] = []
    private var requestLine: RequestLine?
    private var keepAlive = true
    private var trailerBytes = 0

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether no byte of the next request has been received.
    package var isIdle: Bool {
        if case .requestLine = state { return text.isEmpty }
        return false
    }

    /// Whether the last request asked to close the connection. All further bytes are ignored.
    package var isFinished: Bool {
        if case .finished = state { return true }
        return false
    }

    /// Continues at `position` and returns the next event, or nil at the end of the input.
    ///
    /// - Throws: the reason for refusing the request; every later call throws it again.
    package mutating func next(_ input: [UInt8], _ position: inout Int, end: Int) throws(RequestRefusal) -> Event? {
        do {
            return try advance(input, &position, end)
        } catch {
            state = .failed(error)
            text = []
            throw error
        }
    }

    private mutating func advance(
        _ input: [UInt8], _ position: inout Int, _ end: Int
    ) throws(RequestRefusal) -> Event? {
        while true {
            switch state {
            case .requestLine:
                guard try takeLine(input, &position, end, limit: limits.requestLine, .requestLineTooLong) else {
                    return nil
                }
                if text.count == 2 {
                    // One empty line before a request is ignored (RFC 9112 §2.2): some clients end a body with one.
                    guard !skippedEmptyLine else { throw .malformed("more than one empty line before the request") }
                    skippedEmptyLine = true
                    text.removeAll(keepingCapacity: true)
                    continue
                }
                requestLine = try RequestLine(text[..<(text.count - 2)])
                startFields()
            case .fields:
                let limit = limits.fieldBytes - (lineStart - fieldStart)
                guard try takeLine(input, &position, end, limit: limit, .fieldsTooLarge) else { return nil }
                if text.count - lineStart == 2 { return .head(try finishHead()) }
                guard fields.count < limits.fields else { throw .tooManyFields }
                fields.append(try FieldLine.parse(text, lineStart..<text.count - 2))
                lineStart = text.count
            case .body(let remaining):
                guard position < end else { return nil }
                let count = min(remaining, end - position)
                state = count == remaining ? .complete : .body(remaining: remaining - count)
                position += count
                return .body(position - count..<position)
            case .chunkSize:
                guard try takeLine(input, &position, end, limit: limits.chunkLine, .chunkLineTooLong) else {
                    return nil
                }
                let size = try ChunkLine.size(text[..<(text.count - 2)])
                startLine()
                state = size == 0 ? .trailers : .chunkData(remaining: size)
            case .chunkData(let remaining):
                guard position < end else { return nil }
                let count = min(remaining, end - position)
                state = count == remaining ? .chunkEnd : .chunkData(remaining: remaining - count)
                position += count
                return .body(position - count..<position)
            case .chunkEnd:
                guard try takeLine(input, &position, end, limit: 0, .chunkDataTooLong) else { return nil }
                startLine()
                state = .chunkSize
            case .trailers:
                let limit = limits.trailerBytes - trailerBytes
                guard try takeLine(input, &position, end, limit: limit, .fieldsTooLarge) else { return nil }
                trailerBytes += text.count
                let isLast = text.count == 2
                if !isLast { try TrailerLine.check(text, 0..<text.count - 2) }
                startLine()
                if isLast { state = .complete }
            case .complete:
                state = keepAlive ? .requestLine : .finished
                skippedEmptyLine = false
                text = []
                lineStart = 0
                return .end
            case .finished:
                position = end
                return nil
            case .failed(let refusal): throw refusal
            }
        }
    }

    /// Appends input to `text` up to the end of a line. Returns false if the input ends before the line does.
    ///
    /// - Parameter limit: bytes, without CR LF.
    private mutating func takeLine(
        _ input: [UInt8], _ position: inout Int, _ end: Int, limit: Int, _ tooLong: RequestRefusal
    ) throws(RequestRefusal) -> Bool {
        guard position < end else { return false }
        if text.isEmpty, case .requestLine = state {
            // If the first byte cannot begin a request, the request is refused before the line is complete. An example
            // is a TLS handshake.
            let firstByte = input[position]
            guard ASCII.isToken(firstByte) || firstByte == ASCII.carriageReturn else {
                throw .malformed("not a request line")
            }
            text.reserveCapacity(min(end - position, 1024))
        }
        // The limit does not include CR LF.
        let lastIndex = min(end, position + max(0, limit + 2 - (text.count - lineStart)))
        let index = input[position..<lastIndex].fastFirstIndex(of: ASCII.lineFeed) ?? lastIndex
        let isComplete = index < lastIndex
        let nextPosition = isComplete ? index + 1 : index
        text.append(contentsOf: input[position..<nextPosition])
        position = nextPosition
        let length = text.count - lineStart
        if isComplete {
            if length >= 2, length - 1 > limit, text[text.count - 2] != ASCII.carriageReturn { throw tooLong }
            guard length >= 2, text[text.count - 2] == ASCII.carriageReturn else { throw .malformed("bare LF") }
            return true
        }
        // Without LF, a line within the limit has at most `limit` bytes, or `limit` + 1 if the last byte is CR.
        if length > limit, length > limit + 1 || text[text.count - 1] != ASCII.carriageReturn { throw tooLong }
        return false
    }

    private mutating func startFields() {
        lineStart = text.count
        fieldStart = text.count
        fields.reserveCapacity(16)
        state = .fields
    }

    private mutating func startLine() {
        text.removeAll(keepingCapacity: true)
        lineStart = 0
    }

    private mutating func finishHead() throws(RequestRefusal) -> MessageHead {
        guard let line = requestLine else { throw .malformed("request line missing") }
        let head = try MessageHead(
            method: line.method, target: line.target, version: line.version,
            headers: Headers(text: text, fields: fields))
        requestLine = nil
        text = []
        fields = []
        lineStart = 0
        trailerBytes = 0
        keepAlive = head.keepAlive
        switch head.framing {
        case .none: state = .complete
        case .length(let length): state = .body(remaining: length)
        case .chunked: state = .chunkSize
        }
        return head
    }
}

extension RequestRefusal {
    static let requestLineTooLong = RequestRefusal(.uriTooLong, "request line too long")
    static let fieldsTooLarge = RequestRefusal(.requestHeaderFieldsTooLarge, "header fields too large")
    static let tooManyFields = RequestRefusal(.requestHeaderFieldsTooLarge, "too many header fields")
    static let chunkLineTooLong = RequestRefusal(.badRequest, "chunk line too long")
    static let chunkDataTooLong = RequestRefusal(.badRequest, "chunk longer than its size")
}
