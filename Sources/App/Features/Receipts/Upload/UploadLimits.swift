/// Limits of uploads. They allow a phone's largest photo and a long PDF.
enum UploadLimits {
    static let fileBytes = 25 * 1024 * 1024
    static let requestBytes = 200 * 1024 * 1024
    static let files = 50
    /// The maximum number of a household's receipts that may wait for the reader. Further uploads are refused.
    static let waiting: Int64 = 500
    /// The size of a stored chunk in bytes. Uploads are handled in chunks, so that a whole file is never in memory.
    static let chunkBytes = 512 * 1024
}
