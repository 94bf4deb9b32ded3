import Domain

/// The result of one file.
enum UploadOutcome: Sendable, Equatable {
    /// A new receipt that waits for the reader. It may have replaced another receipt.
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

    /// The receipt that was discarded because the new receipt replaces it.
    var replaced: ReceiptID? { if case .arrived(_, let old) = self { old } else { nil } }

    var isArrived: Bool { if case .arrived = self { true } else { false } }
    var isDuplicate: Bool { if case .duplicate = self { true } else { false } }
    var isRefused: Bool { if case .refused = self { true } else { false } }
}
