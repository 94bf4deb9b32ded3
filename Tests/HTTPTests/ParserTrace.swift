@testable import HTTP

/// The events of a parser as text. The parts of a body are joined, so that the trace does not depend on how the input
/// is split.
struct ParserTrace: Equatable, CustomStringConvertible {
    var events: [String] = []
    var refusal: RequestRefusal?
    var heads: [MessageHead] = []
    var messages = 0
    /// Bytes after a request that ends the connection, which the parser ignores.
    var ignored: [UInt8] = []

    static func == (left: ParserTrace, right: ParserTrace) -> Bool {
        left.events == right.events && left.refusal == right.refusal && left.messages == right.messages
    }

    var description: String { "\(events) \(refusal.map(\.description) ?? "accepted")" }

    init(_ pieces: [[UInt8]]) {
        var parser = RequestParser()
        var body: [UInt8] = []
        for piece in pieces {
            var position = 0
            do {
                while true {
                    let positionBefore = position
                    guard let event = try parser.next(piece, &position, end: piece.count) else {
                        if parser.isFinished { ignored += piece[positionBefore...] }
                        break
                    }
                    switch event {
                    case .head(let head):
                        heads.append(head)
                        let fields = head.headers.pairs.map { "\($0.name): \($0.value)" }.joined(separator: "|")
                        events.append("\(head.method) \(head.target) \(fields) \(head.framing) \(head.keepAlive)")
                    case .body(let range): body += piece[range]
                    case .end:
                        messages += 1
                        events.append("body \(String(decoding: body, as: UTF8.self).debugDescription)")
                        body = []
                    }
                }
            } catch {
                refusal = error
                return
            }
        }
        if !body.isEmpty { events.append("part \(String(decoding: body, as: UTF8.self).debugDescription)") }
    }

    init(_ bytes: [UInt8]) { self.init([bytes]) }
    init(_ text: String) { self.init(Array(text.utf8)) }
}

/// A random number generator with the same sequence in every run (xorshift).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// Cuts bytes into pieces of random sizes.
func split(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = Int.random(
            in: 1...max(1, min(rest.count, [1, 3, 20, 200].randomElement(using: &generator) ?? 1)), using: &generator)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
    }
    return pieces
}
