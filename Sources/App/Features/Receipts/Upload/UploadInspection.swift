import Recognition

/// The type of a file by its first bytes, decided before any decoder gets it.
enum UploadInspection {
    /// Bytes of a file that are inspected, the same as in the reader.
    static let prefixBytes = ImageInspection.prefixBytes

    /// The media type of a picture or document that the reader accepts.
    ///
    /// - Parameter prefix: the first `prefixBytes` of the file, or all of it.
    /// - Throws: `UploadRefusal`.
    static func mediaType(of prefix: [UInt8]) throws(UploadRefusal) -> String {
        do {
            return mediaType(try ImageInspection.inspect(prefix, fileBytes: prefix.count).kind)
        } catch {
            switch error {
            case .unsupported: throw .unsupported
            case .damaged: throw .damaged
            case .tooManyPixels: throw .tooManyPixels
            case .tooManyBytes: throw .tooLarge
            }
        }
    }

    private static func mediaType(_ kind: ImageInspection.Kind) -> String {
        switch kind {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .heic: "image/heic"
        case .pdf: "application/pdf"
        }
    }
}
