import Postgres

/// A value of a receipt's head or of one of its lines that a person can correct.
///
/// The raw values are the names in the columns `doubts`, `marks` and `repairs`, in the review form, in its templates and its
/// script. Columns named after a field have the same name.
enum ReviewField: String, Sendable, CaseIterable, PostgresConvertible {
    // The head; `total` is also the amount of a line.
    case store, day, time, total, currency
    case hiddenUntil = "hidden_until"
    // A line.
    case name, quantity
    case unitPrice = "unit_price"
    case kind
    case vatClass = "vat_class"

    static let head: [ReviewField] = [.store, .day, .time, .total, .currency, .hiddenUntil]
    static let line: [ReviewField] = [.name, .quantity, .unitPrice, .total, .kind, .vatClass]
    /// The fields of the head that the form shows and the reader may doubt, in the order of the page.
    static let shownHead: [ReviewField] = [.store, .total, .day, .time]
    /// The same of a line.
    static let shownLine: [ReviewField] = [.name, .quantity, .unitPrice, .total, .vatClass]

    /// The field's name in the form, for one line.
    func name(of line: String) -> String { "\(rawValue)-\(line)" }

    /// Key of its label in the texts: `server.conflict.<key>`.
    var textKey: String { rawValue.replacing("_", with: "-") }
}
