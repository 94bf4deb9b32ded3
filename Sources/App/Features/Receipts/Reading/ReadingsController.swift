import HTTP
import Templates

/// The reading progress of several receipts: the page after an upload, and the event stream of lists.
struct ReadingsController: Sendable {
    private let database: Database
    private let uploadedPage: View<UploadedPage>

    init(_ database: Database, _ views: Views) throws {
        self.database = database
        uploadedPage = try views.page("receipts/uploaded", UploadedPage.self)
    }

    func register(_ routes: inout Routes) throws {
        try routes.member(.get, "/receipts/uploads", "ReadingsController.show", show)
        try routes.member(.get, "/receipts/events", "ReadingsController.events", events)
    }

    /// The receipts of one upload. The page refreshes itself while one of them is being read.
    private func show(_ request: MemberRequest) async throws -> Response {
        let known = Set(ListedReading.identifiers("known", request.head))
        let ids = ListedReading.identifiers("receipts", request.head).filter { !known.contains($0) }
        let readings = try await ListedReading.list(ids + known.sorted(), request.member, database)
        guard !readings.isEmpty else { return .redirect(to: "/receipts") }
        let words = uploadedPage.texts[request.language]
        let files = readings.map { reading in
            UploadedPage.File(
                name: reading.title,
                outcome: known.contains(reading.id) ? .duplicate(reading.id) : .arrived(reading.id),
                status: reading.sentence(words, request.language), isReading: reading.progress != nil)
        }
        return uploadedPage.response(UploadedPage(files: files, progressHref: nil), for: request)
    }

    /// One event stream for all receipts of a list. Each receipt is reported until it is read.
    private func events(_ request: MemberRequest) async throws -> Response {
        let stream = SeveralReadingEvents(
            database: database, member: request.member,
            receipts: ListedReading.identifiers("receipts", request.head),
            words: uploadedPage.texts[request.language])
        return .events { writer in try await stream.send(to: writer) }
    }
}
