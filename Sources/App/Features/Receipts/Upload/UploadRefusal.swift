import HTTP
import Templates

/// The reason why a file was refused. The raw values are stored.
enum UploadRefusal: String, Error {
    case empty
    case damaged
    case unsupported
    case tooLarge = "too_large"
    case tooManyPixels = "too_many_pixels"
    /// Too many receipts of the household wait for the reader.
    case full

    var status: Status {
        switch self {
        case .empty, .damaged, .tooManyPixels: .unprocessableContent
        case .unsupported: .unsupportedMediaType
        case .tooLarge: .contentTooLarge
        case .full: .tooManyRequests
        }
    }

    /// The key of the sentence, below `server.upload`.
    var key: String {
        switch self {
        case .empty, .damaged: "damaged"
        case .unsupported: "kind"
        case .tooLarge: "too-large"
        case .tooManyPixels: "too-many-pixels"
        case .full: "full"
        }
    }

    func sentence(_ words: LanguageTexts) -> String {
        words["server.upload.\(key)", ["count": .number(String(UploadLimits.fileBytes / 1_048_576))]]
    }
}
