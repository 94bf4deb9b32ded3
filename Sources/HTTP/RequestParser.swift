/// Reads the requests of one connection from its bytes, in pieces of any size: a pure state machine (RFC 9112).
///
/// Strict where servers have been broken: lines end in CR LF only, names touch their colon, nothing is folded, a
/// body has exactly one length. Every way of cutting the bytes into pieces gives the same events. Work and memory are
/// linear in the bytes; at most one head is held.
package struct RequestParser: Sendable {
    /// What the bytes say next; `head`, any number of `body`, `end`, and so on.
    package enum Event: Sendable {
        case head(MessageHead)
        /// Bytes of the body: a range of the input.
        case body(Range<Int>)
        /// The request is complete.
        case end
    }

    /// Sizes in bytes, without line ends; a request beyond them is refused with 414 or 431.
    package struct Limits: Sendable {
        /// 8 KiB; RFC 9112 §3 asks for 8,000 bytes at least.
        package var requestLine = 8 * 1024
        /// Number of fields in one head.
        package var fields = 64
        /// All field lines of one head together.
        package var fieldBytes = 16 * 1024
        /// A chunk's size with its extensions, which are ignored.
        package var chunkLine = 512
        /// All trailer lines of one body together; they are checked and dropped.
        package var trailerBytes = 4 * 1024

        package init() {}
    }

    private enum State {
        case requestLine
        case fields
        case body(left: Int)
        case chunkSize
        case chunkData(left: Int)
        case chunkEnd
        case trailers
        case complete
        case finished
        case failed(RequestRefusal)
    }

    private let limits: Limits
    private var state = State.requestLine
    private var skippedEmptyLine = false
    /// The head so far, or the chunk or trailer line so far.
    private var text: [UInt8] = []
    private var lineStart = 0
    private var fieldStart = 0
    private var fields: [Headers.Field] = []
    private var requestLine: RequestLine?
    private var keepAlive = true
    private var trailerBytes = 0

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether nothing of a next request has been seen.
    package var isIdle: Bool {
        if case .requestLine = state { return text.isEmpty }
        return false
    }

    /// Whether the last request said that none follows: all further bytes are ignored.
    package var isFinished: Bool {
        if case .finished = state { return true }
        return false
    }

    /// Reads on from `position`, and returns the next event, or nil when the input is used up.
    ///
    /// - Throws: what is wrong; the same again for every later call.
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
                    // One empty line before a request is forgiven (RFC 9112 §2.2): some clients end bodies with one.
                    guard !skippedEmptyLine else { throw .malformed("empty lines before the request") }
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
            case .body(let left):
                guard position < end else { return nil }
                let count = min(left, end - position)
                state = count == left ? .complete : .body(left: left - count)
                position += count
                return .body(position - count..<position)
            case .chunkSize:
                guard try takeLine(input, &position, end, limit: limits.chunkLine, .chunkLineTooLong) else {
                    return nil
                }
                let size = try ChunkLine.size(text[..<(text.count - 2)])
                startLine()
                state = size == 0 ? .trailers : .chunkData(left: size)
            case .chunkData(let left):
                guard position < end else { return nil }
                let count = min(left, end - position)
                state = count == left ? .chunkEnd : .chunkData(left: left - count)
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

    /// Moves input to `text` up to a line's end; false if the input ends before.
    ///
    /// - Parameter limit: bytes without CR LF.
    private mutating func takeLine(
        _ input: [UInt8], _ position: inout Int, _ end: Int, limit: Int, _ tooLong: RequestRefusal
    ) throws(RequestRefusal) -> Bool {
        guard position < end else { return false }
        if text.isEmpty, case .requestLine = state {
            // What cannot begin a request (a TLS hello, say) is refused without waiting for a line's end.
            let first = input[position]
            guard ASCII.isToken(first) || first == ASCII.carriageReturn else {
                throw .malformed("not a request line")
            }
            text.reserveCapacity(min(end - position, 1024))
        }
        // A line may be longer than its limit by CR and LF only.
        let last = min(end, position + max(0, limit + 2 - (text.count - lineStart)))
        let index = input[position..<last].firstPlace(of: ASCII.lineFeed) ?? last
        let isComplete = index < last
        let next = isComplete ? index + 1 : index
        text.append(contentsOf: input[position..<next])
        position = next
        let length = text.count - lineStart
        if isComplete {
            if length >= 2, length - 1 > limit, text[text.count - 2] != ASCII.carriageReturn { throw tooLong }
            guard length >= 2, text[text.count - 2] == ASCII.carriageReturn else { throw .malformed("bare LF") }
            return true
        }
        // Without its LF, a line within the limit has at most limit + 1 bytes, and then the last is CR.
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
        guard let line = requestLine else { throw .malformed("no request line") }
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
        case .length(let length): state = .body(left: length)
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
