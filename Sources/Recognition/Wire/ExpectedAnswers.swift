/// The answers that the reader may still send in a job: one document for its files, one answer for each reread, and
/// each picture of each page once, within a total size.
struct ExpectedAnswers: Sendable {
    /// Number of files passed.
    var files = 0
    /// Number of areas of each reread that is not yet answered.
    var rereads: [Int] = []
    /// Whether pictures were requested.
    var hasPictures = false
    /// Number of pages of the document; nil before the document has arrived.
    private var pages: Int?
    /// Number of pages in the last progress message.
    private var pagesRead = -1
    private var pictures: Set<Picture> = []
    /// Total size of the pictures so far.
    private var bytes = 0

    private struct Picture: Hashable {
        let page: Int
        let variant: PagePicture.Variant
    }

    /// Records an answer. Throws if it was not expected.
    mutating func take(_ answer: ReaderAnswer, of job: ReadingJob) throws(WireError) {
        switch answer {
        case .document(let document, _):
            guard pages == nil, files == job.files, document.pages.count <= files * ReadingJob.maximumPages else {
                throw .malformed
            }
            pages = document.pages.count
        case .reread(let answers, _):
            guard pages != nil, let asked = rereads.first, answers.count <= asked else { throw .malformed }
            rereads.removeFirst()
        case .progress(let read, let count):
            guard pages == nil, read > pagesRead, read <= count, count <= job.files * ReadingJob.maximumPages else {
                throw .malformed
            }
            pagesRead = read
        case .picture(let picture):
            guard hasPictures, let pages, picture.page < pages,
                pictures.insert(Picture(page: picture.page, variant: picture.variant)).inserted
            else { throw .malformed }
            bytes += picture.jpeg.count
            guard bytes <= ReadingJob.maximumPictureBytes else { throw .messageTooLong }
        case .finished, .failed: break
        }
    }
}
