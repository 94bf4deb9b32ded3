/// Resource limits of a child.
package enum Limits {
    /// Bytes of address space. The libraries map about 300 MB of it.
    package static let memory = 1_200 << 20
    /// CPU seconds of a whole job, regardless of its number of pages.
    package static let cpuSeconds = 300
    static let openFiles: UInt64 = 32
    /// Bytes of a file that it writes. It writes only a PDF, to a memory file.
    static let fileBytes: UInt64 = 64 << 20
    static let niceness: Int32 = 10
}
