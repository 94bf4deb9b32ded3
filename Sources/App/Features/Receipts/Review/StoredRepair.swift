import DocumentParsing
import Domain
import JSON
import Postgres

/// An alternative reading of a figure: an element of a line's column `repairs`, or of the same list in a receipt's
/// `evidence`.
struct StoredRepair: Sendable, Equatable {
    let field: ReviewField
    /// The reading, as printed.
    let printed: String
    /// The value that follows from other printed figures.
    let value: String
    let reason: Reason
    /// False for a proposal: the line still has the value that was read.
    let isApplied: Bool

    /// The other printed figure from which the value follows. The raw values are those of `Repair.Reason`.
    enum Reason: String, Sendable {
        case sum, product, payment, reread
        case taxTable = "tax_table"

        /// The key of the reason's name in the texts: `server.repair-reason.<key>`.
        var textKey: String {
            switch self {
            case .sum, .payment: "total"
            case .product: "unit-price"
            case .taxTable: "vat"
            case .reread: "reread"
            }
        }
    }

    /// Formats a printed figure. Replaces `-` by the minus sign U+2212; also replaces `~`, a misread minus sign. In
    /// English, exchanges comma and point if the figure contains a comma.
    static func shown(_ figure: String, _ language: Language) -> String {
        let isSwapped = language == .english && figure.contains(",")
        return String(
            figure.map { character in
                switch character {
                case "-", "~": "−"
                case ",": isSwapped ? "." : ","
                case ".": isSwapped ? "," : "."
                default: character
                }
            })
    }

    /// Decodes the elements of a column. Invalid elements are left out.
    static func list(_ column: PostgresJSON) -> [StoredRepair] {
        list(try? JSONValue(reading: column.bytes))
    }

    static func list(_ json: JSONValue?) -> [StoredRepair] {
        (json?.array ?? []).compactMap { repair in
            guard let field = repair["field"]?.string.flatMap(ReviewField.init(rawValue:)),
                let value = repair["is"]?.string
            else { return nil }
            return StoredRepair(
                field: field, printed: repair["was"]?.string ?? "", value: value,
                reason: repair["reason"]?.string.flatMap(Reason.init(rawValue:)) ?? .sum,
                isApplied: repair["proposed"] == nil)
        }
    }
}
