/// The pauses between attempts, in milliseconds. Each pause is twice as long as the previous one, up to a limit. A
/// random part of up to a quarter is subtracted, so that servers do not retry at the same time.
struct Backoff {
    private let first: Int
    private let limit: Int
    private var milliseconds: Int

    init(first: Int = 20, limit: Int = 2000) {
        self.first = first
        self.limit = limit
        milliseconds = first
    }

    mutating func next() -> Duration {
        let pause = milliseconds
        milliseconds = min(limit, milliseconds * 2)
        return .milliseconds(pause - Int.random(in: 0...pause / 4))
    }

    mutating func reset() { milliseconds = first }
}
