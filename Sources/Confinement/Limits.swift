/// Resource limits of a child process of the reader, which reads one document.
package enum Limits {
    /// Maximum size of the address space in bytes. Libraries use about 300 MB of it.
    package static let memory = 1_200 << 20
    /// Maximum CPU time of a document in seconds, regardless of its number of pages.
    package static let cpuSeconds = 300
    static let openFiles: UInt64 = 32
    /// Maximum size of a written file in bytes. The child writes one file only: a PDF in memory.
    static let fileBytes: UInt64 = 64 << 20
    static let niceness: Int32 = 10
}
