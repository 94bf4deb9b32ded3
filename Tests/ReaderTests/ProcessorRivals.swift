import Foundation
import Glibc
import Testing

/// Processes that keep one processor busy. The given process and its future children run on the same processor.
final class ProcessorRivals {
    private var rivals: [Process] = []

    init(of process: pid_t) throws {
        // The line is `Cpus_allowed_list:` with numbers and ranges, such as `0-3,8`.
        let lines = (ProcessFile.text(of: "/proc/self/status") ?? "").split(separator: "\n")
        let list = lines.first { $0.hasPrefix("Cpus_allowed_list:") }
        let processor = String(try #require(list?.split(whereSeparator: { !$0.isNumber }).first))
        let pinning = try Self.start("taskset", ["-cp", processor, "\(process)"])
        pinning.waitUntilExit()
        try #require(pinning.terminationStatus == 0)
        for _ in 0..<6 {
            rivals.append(try Self.start("taskset", ["-c", processor, "sh", "-c", "while :; do :; done"]))
        }
    }

    deinit { end() }

    /// Ends the processes.
    func end() {
        for rival in rivals {
            // The threads of the tests block SIGTERM, and processes inherit that.
            kill(rival.processIdentifier, SIGKILL)
            rival.waitUntilExit()
        }
        rivals = []
    }

    private static func start(_ program: String, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }
}
