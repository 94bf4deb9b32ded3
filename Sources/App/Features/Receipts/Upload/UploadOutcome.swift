import Domain
import HTTP
import Templates

/// Limits of uploads. They allow a phone's largest photo and a long PDF.
enum UploadLimits {
    static let fileBytes = 25 * 1024 * 1024
    static let requestBytes = 200 * 1024 * 1024
    static let files = 50
    /// The highest number of a household's receipts that may wait for the reader. Further uploads are refused.
    static let waiting: Int64 = 500
    /// The size of a stored chunk in bytes. Uploads are handled in chunks, so that none is in memory as a whole.
    static let chunkBytes = 512 * 1024
}

/// Why a file was refused; the raw values are stored.
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

/// The result of one file.
enum UploadOutcome: Sendable, Equatable {
    /// A new receipt that waits for the reader. It may have replaced another one.
    case arrived(ReceiptID, insteadOf: ReceiptID? = nil)
    /// The same bytes were uploaded before.
    case duplicate(ReceiptID)
    case refused(UploadRefusal)

    var receipt: ReceiptID? {
        switch self {
        case .arrived(let id, _), .duplicate(let id): id
        case .refused: nil
        }
    }

    /// The receipt that was discarded because this one replaces it.
    var replaced: ReceiptID? { if case .arrived(_, let old) = self { old } else { nil } }

    var isArrived: Bool { if case .arrived = self { true } else { false } }
    var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    var isRefused: Bool { if case .refused = self { true } else { false } }
}
