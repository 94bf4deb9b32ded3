import Recognition

/// Detects the type of a file from its first bytes, before any decoder reads it.
enum UploadInspection {
    /// The number of bytes that are inspected, the same as in the reader.
    static let prefixBytes = ImageInspection.prefixBytes

    /// Returns the media type of a picture or document that the reader accepts.
    ///
    /// - Parameter prefix: the first `prefixBytes` of the file, or the whole file if it is shorter.
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
