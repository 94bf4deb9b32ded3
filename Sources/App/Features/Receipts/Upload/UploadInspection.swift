import Recognition

/// What a file is, from its first bytes: decided here, before any decoder sees it.
enum UploadInspection {
    /// The media type of a picture or document that the reader takes.
    ///
    /// - Parameter prefix: the first bytes of the file, up to half a megabyte.
    /// - Throws: `UploadRefusal`.
    static func mediaType(of prefix: [UInt8]) throws(UploadRefusal) -> String { throw .unsupported }
}
