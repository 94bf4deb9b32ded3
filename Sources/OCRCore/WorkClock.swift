import Glibc

/// The CPU time of this thread since a page was begun. Reading a page ends within ten seconds, with the best result so
/// far.
struct WorkClock {
    /// The kinds of work, each with the time in seconds after which it is skipped.
    enum Work: Double {
        /// Work that is not necessary for a result: other orientations, doubtful lines, sharpening for codes, and
        /// further readings of lines.
        case refinement = 3.5
        /// Reading with the second engine.
        case secondEngine = 6.5
        /// Reading further lines.
        case lines = 7.5
        /// Reading places again for the grammar.
        case rereading = 9
    }

    private let start = Self.now

    /// The CPU time in seconds since the page was begun.
    var seconds: Double { Self.now - start }

    /// Whether there is time left for some work.
    func allows(_ work: Work) -> Bool { seconds < work.rawValue }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
