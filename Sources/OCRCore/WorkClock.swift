import Glibc

/// CPU time of this process since a page was begun. A page ends within ten seconds, with the best reading so far.
struct WorkClock {
    /// What is left out as the time runs out, in this order.
    enum Work: Double {
        /// Other orientations and readings of what was read already, in seconds.
        case everything = 3.5
        /// The second engine.
        case witnesses = 6.5
        /// Lines that were not read yet.
        case lines = 7.5
        /// Places that the grammar wants read again.
        case rereading = 9
    }

    private let start = Self.now

    var seconds: Double { Self.now - start }

    /// Whether there is time left for some work.
    func allows(_ work: Work) -> Bool { seconds < work.rawValue }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
