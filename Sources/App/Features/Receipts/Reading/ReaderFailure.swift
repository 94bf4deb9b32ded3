import Recognition

/// A failed job of the reader, with the pictures that were made before the failure.
struct ReaderFailure: Error {
    let reason: ReadingFailureReason
    let pictures: [PagePicture]
}
