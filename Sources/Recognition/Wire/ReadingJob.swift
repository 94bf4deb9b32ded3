/// A job for the reader: the files of one receipt, which are sent one by one.
package struct ReadingJob: Equatable, Sendable {
    /// The maximum number of files of a job, usually photos of one long receipt.
    package static let maximumFiles = 20
    /// The maximum size of a file: 25 MiB, the limit of uploads.
    package static let maximumFileBytes = 25 << 20
    /// The maximum number of pages of one file.
    package static let maximumPages = 20
    /// The maximum size of all pictures of a job together, in bytes. The pictures of one photo have two to four MiB.
    package static let maximumPictureBytes = 256 << 20
    /// The allowed values of `cpuSecondsPerPage`.
    package static let allowedCPUSecondsPerPage = 1...300

    /// The number of the job, repeated in the answers.
    package var id: UInt64
    /// The CPU time of the child for each page, in seconds. A job with several pages has the sum for all its pages.
    package var cpuSecondsPerPage: Int
    /// Number of files that follow, 1 … ``maximumFiles``.
    package var fileCount: Int
    /// Whether to read faster, even if words may be missed: for pictures of a live camera, which follow one another
    /// quickly.
    package var isQuick: Bool

    /// The maximum time from one answer of the child to the next, in seconds of wall-clock time. It is 30 s more than
    /// the CPU limit, because the child runs with nice 10 and waits for other processes. It is at most four times the
    /// CPU limit.
    package var answerSeconds: Int { min(cpuSecondsPerPage + 30, 4 * cpuSecondsPerPage) }

    package init(id: UInt64, cpuSecondsPerPage: Int, fileCount: Int, isQuick: Bool = false) {
        self.id = id
        self.cpuSecondsPerPage = cpuSecondsPerPage
        self.fileCount = fileCount
        self.isQuick = isQuick
    }
}
