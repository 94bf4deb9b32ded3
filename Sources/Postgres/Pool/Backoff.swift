/// The pauses between attempts, in milliseconds. Each pause is twice as long as the previous one, up to a limit. A
/// random part of up to a quarter is subtracted, so that servers do not retry at the same time.
struct Backoff {
    private let firstPause: Int
    private let maximumPause: Int
    private var nextPause: Int

    init(first: Int = 20, limit: Int = 2000) {
        firstPause = first
        maximumPause = limit
        nextPause = first
    }

    mutating func next() -> Duration {
        let pause = nextPause
        nextPause = min(maximumPause, nextPause * 2)
        return .milliseconds(pause - Int.random(in: 0...pause / 4))
    }

    mutating func reset() { nextPause = firstPause }
}
