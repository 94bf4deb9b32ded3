/// Resource limits of a child process of the reader.
package enum Limits {
    /// Bytes of address space. The libraries map about 300 MB of it.
    package static let memory = 1_200 << 20
    /// CPU seconds of a whole job, regardless of its number of pages.
    package static let cpuSeconds = 300
    static let openFiles: UInt64 = 32
    /// Maximum size in bytes of a file that the child writes. It writes only a PDF, into a memory file.
    static let fileBytes: UInt64 = 64 << 20
    static let niceness: Int32 = 10
}
