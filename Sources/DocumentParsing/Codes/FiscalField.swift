/// What a line of the fiscal data printed as text names; the raw value is the key of its key words in the facts file.
enum FiscalField: String, CaseIterable, Sendable {
    /// The number of the signed transaction.
    case transaction = "tse_transaction"
    /// How many signatures the device has made.
    case counter = "tse_counter"
    /// The serial number of the till.
    case till = "tse_till"
    /// The serial number of the security device.
    case module = "tse_module"
    case start = "tse_start"
    case stop = "tse_stop"
    case signature = "tse_signature"
    /// Heading, algorithm, time format, public key.
    case other = "tse_other"

    /// Whether the words for it stand nowhere else on receipts.
    var isTelling: Bool {
        switch self {
        case .counter, .till, .module, .signature: true
        case .transaction, .start, .stop, .other: false
        }
    }
}
