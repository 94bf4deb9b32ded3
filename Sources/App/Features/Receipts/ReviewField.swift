import Postgres

/// A correctable value of a receipt's head or of one of its lines.
///
/// The raw values are used in the columns `doubts`, `marks` and `repairs`, in the review form, its templates and its
/// script.
enum ReviewField: String, Sendable, CaseIterable, PostgresConvertible {
    // Fields of the head. `total` is also the amount of a line.
    case store, day, time, total, currency
    case hiddenUntil = "hidden_until"
    // Fields of a line.
    case name, quantity
    case unitPrice = "unit_price"
    case kind
    case vatClass = "vat_class"
    /// The line's own category, which overrides the category of its product.
    case category

    static let head: [ReviewField] = [.store, .day, .time, .total, .currency, .hiddenUntil]
    static let line: [ReviewField] = [.name, .quantity, .unitPrice, .total, .kind, .vatClass, .category]
    /// The fields of the head that the form shows and the reader may mark as doubtful, in the order of the page.
    static let shownHead: [ReviewField] = [.store, .total, .day, .time]
    /// The fields of a line that the form shows and the reader may mark as doubtful, in the order of the page.
    static let shownLine: [ReviewField] = [.name, .quantity, .unitPrice, .total, .vatClass, .category]

    /// The field's name in the form for a line.
    func name(of line: String) -> String { "\(rawValue)-\(line)" }

    /// The key of the field's label in the texts: `server.conflict.<key>`.
    var textKey: String { rawValue.replacing("_", with: "-") }
}
