import Foundation
import Glibc
import Synchronization

/// The peak memory of the largest descendant of a process, sampled about a thousand times per second.
///
/// `ru_maxrss` is not used, because it includes the memory that the parent had when the process started, here the
/// memory of all tests.
final class MemoryWatch: Sendable {
    private let peak = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter process: the process whose descendants are watched.
    init(childrenOf process: pid_t) {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                sample(below: process, depth: 0)
                usleep(1_000)
            }
            ended.signal()
        }
    }

    /// Stops the sampling.
    ///
    /// - Returns: the peak memory of the largest process, in bytes.
    func end() -> Int {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        return peak.load(ordering: .relaxed)
    }

    private func sample(below process: pid_t, depth: Int) {
        guard depth < 4, let children = ProcessFile.text(of: "/proc/\(process)/task/\(process)/children") else {
            return
        }
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) {
            if let held = Self.peakMemory(of: child) { peak.max(held, ordering: .relaxed) }
            sample(below: child, depth: depth + 1)
        }
    }

    /// Parses `VmHWM:     1234 kB`, the peak memory of the process.
    private static func peakMemory(of process: pid_t) -> Int? {
        ProcessFile.text(of: "/proc/\(process)/status")?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?
            .split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
