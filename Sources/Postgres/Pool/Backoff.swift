/// Growing pauses between attempts: each twice as long as the one before, up to a limit, with up to a quarter taken off
/// by chance so that servers do not come in step.
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
