import Glibc

/// The status of a process or a thread, from a file `stat` below `/proc` (proc(5)).
struct ProcessStatus {
    let group: pid_t
    /// Whether it runs, or waits for a processor or a disk. False if it sleeps, was stopped or has ended.
    let isActive: Bool
    /// The user and system time, including that of ended children.
    let cpuMilliseconds: Int

    /// Returns nil if the file cannot be read, for example because the process no longer exists.
    init?(_ path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(file, &bytes, bytes.count)
        // The second field, the name of the program, is in parentheses and may contain blanks and parentheses.
        guard count > 0, let nameEnd = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[nameEnd..<count].split(separator: UInt8(ascii: " ")).map {
            String(decoding: $0, as: UTF8.self)
        }
        // `fields[0]` is the end of field 2 of proc(5), so field 3, the state, is `fields[1]`.
        guard fields.count > 15, let group = pid_t(fields[3]) else { return nil }
        let ticks = fields[12...15].compactMap { Int($0) }.reduce(0, +)
        self.group = group
        isActive = ["R", "D"].contains(fields[1])
        cpuMilliseconds = ticks * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK)))
    }
}
