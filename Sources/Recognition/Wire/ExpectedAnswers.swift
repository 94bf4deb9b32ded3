/// The answers that the reader may still send in a job: one document, one answer for each reread, and each picture of
/// each page once. The total size of the pictures is limited.
struct ExpectedAnswers: Sendable {
    /// Number of files added so far.
    var fileCount = 0
    /// For each reread without an answer, in the order of the requests: the number of its areas.
    var rereads: [Int] = []
    /// Whether pictures were requested.
    var hasPictures = false
    /// Number of pages of the document; nil before the document has arrived.
    private var pageCount: Int?
    /// Number of pages read by the last progress message; -1 before the first.
    private var pagesRead = -1
    /// The pictures that have arrived.
    private var pictures: Set<Picture> = []
    /// Total size of the pictures so far, in bytes.
    private var pictureBytes = 0

    private struct Picture: Hashable {
        let page: Int
        let variant: PagePicture.Variant
    }

    /// Records an answer. Throws if it was not expected.
    mutating func record(_ answer: ReaderAnswer, of job: ReadingJob) throws(WireError) {
        switch answer {
        case .document(let document, _):
            guard pageCount == nil, fileCount == job.fileCount,
                document.pages.count <= fileCount * ReadingJob.maximumPages
            else {
                throw .malformed
            }
            pageCount = document.pages.count
        case .reread(let answers, _):
            guard pageCount != nil, let areas = rereads.first, answers.count <= areas else { throw .malformed }
            rereads.removeFirst()
        case .progress(let read, let count):
            guard pageCount == nil, read > pagesRead, read <= count, count <= job.fileCount * ReadingJob.maximumPages
            else {
                throw .malformed
            }
            pagesRead = read
        case .picture(let picture):
            guard hasPictures, let pageCount, picture.page < pageCount,
                pictures.insert(Picture(page: picture.page, variant: picture.variant)).inserted
            else { throw .malformed }
            pictureBytes += picture.jpeg.count
            guard pictureBytes <= ReadingJob.maximumPictureBytes else { throw .messageTooLong }
        case .finished, .failed: break
        }
    }
}
