/// What the reader may still say in a job: one document of the files it got, an answer for every reread, and each picture
/// of each page once, all of them within a budget.
struct ExpectedAnswers: Sendable {
    /// Files that were handed over.
    var files = 0
    /// How many places each reread without an answer asks about.
    var rereads: [Int] = []
    /// Whether pictures were asked for.
    var hasPictures = false
    private var pages: Int?
    private var pagesRead = -1
    private var pictures: Set<Picture> = []
    private var bytes = 0

    private struct Picture: Hashable {
        let page: Int
        let variant: PagePicture.Variant
    }

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
