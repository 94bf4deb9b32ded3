import Glibc

/// The status of all processes of a group.
struct ProcessGroup {
    /// Whether a thread of the group runs, or waits for a processor or a disk.
    private(set) var isActive = false
    /// The user and system time of the processes and of their ended children.
    private(set) var cpuMilliseconds = 0

    init(_ group: pid_t) {
        for process in Self.numbers(in: "/proc") {
            guard let status = ProcessStatus("/proc/\(process)/stat"), status.group == group else { continue }
            cpuMilliseconds += status.cpuMilliseconds
            let threads = "/proc/\(process)/task"
            isActive =
                isActive
                || Self.numbers(in: threads).contains { ProcessStatus("\(threads)/\($0)/stat")?.isActive == true }
        }
    }

    /// The names in a folder that are numbers.
    private static func numbers(in path: String) -> [Int] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var numbers: [Int] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int(name) { numbers.append(number) }
        }
        return numbers
    }
}
