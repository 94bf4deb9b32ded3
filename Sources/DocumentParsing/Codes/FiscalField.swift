/// The fields of fiscal data that are printed as text. The raw value is the key of their labels in the facts file.
enum FiscalField: String, CaseIterable, Sendable {
    /// The number of the signed transaction.
    case transaction = "tse_transaction"
    /// The number of signatures that the device has made.
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

    /// Whether the labels of the field occur nowhere else on receipts.
    var isUnmistakable: Bool {
        switch self {
        case .counter, .till, .module, .signature: true
        case .transaction, .start, .stop, .other: false
        }
    }
}
