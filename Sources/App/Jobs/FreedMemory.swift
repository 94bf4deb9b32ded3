import Glibc

/// Decides when memory that jobs have freed is returned to the system; glibc would keep it.
///
/// Returning it takes up to 20 ms in a process with a large heap, even if there is nothing to return. Therefore it is
/// done only after the resident memory of the process has grown.
struct FreedMemory: Sendable {
    /// The smallest resident memory since memory was last returned, in bytes.
    private var lowest = 0

    /// The growth of the resident memory after which memory is returned, in bytes.
    static let growth = 8 << 20

    /// - Parameters:
    ///   - resident: Returns the resident memory of the process in bytes.
    ///   - giveBack: Returns freed memory to the system.
    mutating func release(resident: () -> Int = FreedMemory.residentBytes, giveBack: () -> Void) {
        let now = resident()
        guard now - lowest > Self.growth else {
            lowest = min(lowest, now)
            return
        }
        giveBack()
        lowest = resident()
    }

    /// The resident memory of this process in bytes; 0 if the system does not report it.
    static func residentBytes() -> Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return 0 }
        // The fields are numbers of pages, separated by blanks; the second is the resident memory (proc(5)).
        let fields = bytes[..<count].split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
