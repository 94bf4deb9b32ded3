import Foundation
import Glibc
import Synchronization

/// The most memory that the children of a process hold, looked at a thousand times a second.
///
/// What the kernel tells of ended processes (`ru_maxrss`) includes what the program that started them held at that
/// moment, here all the other tests.
final class MemoryWatch: Sendable {
    private let peak = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private let gone = DispatchSemaphore(value: 0)

    /// - Parameter process: whose children are watched, and theirs.
    init(childrenOf process: pid_t) {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                look(below: process, depth: 0)
                usleep(1_000)
            }
            gone.signal()
        }
    }

    /// Ends the watch.
    ///
    /// - Returns: bytes of the largest process seen.
    func end() -> Int {
        isOver.store(true, ordering: .relaxed)
        gone.wait()
        return peak.load(ordering: .relaxed)
    }

    private func look(below process: pid_t, depth: Int) {
        guard depth < 4, let children = Self.text(of: "/proc/\(process)/task/\(process)/children") else { return }
        for child in children.split(separator: " ").compactMap({ pid_t($0) }) {
            if let held = Self.most(of: child) { peak.max(held, ordering: .relaxed) }
            look(below: child, depth: depth + 1)
        }
    }

    /// `VmHWM:     1234 kB`, the most the process held so far.
    private static func most(of process: pid_t) -> Int? {
        text(of: "/proc/\(process)/status")?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?
            .split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
