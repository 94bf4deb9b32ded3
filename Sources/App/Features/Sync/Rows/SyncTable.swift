import Domain
import JSON

/// A table for native clients. A row is a document of one type, or an element of a list in a document, with one column
/// for each field.
///
/// The column `id` is the document's identifier without its type. A list element has its own identifier, or the
/// document's identifier, a colon and the key of the element. References to documents and persons also have no type;
/// their columns are named `…_id`.
struct SyncTable: Sendable {
    let name: String
    let type: DocumentType
    /// The list whose elements are the rows; nil if the documents themselves are the rows.
    var parts: Parts?

    struct Parts: Sendable {
        /// The field of the document that contains the list.
        let field: String
        /// The field that identifies an element of the list.
        let key: String
        /// The column that contains the identifier of the document.
        let owner: String
    }

    static let all: [SyncTable] = [
        SyncTable(name: "categories", type: .category),
        SyncTable(
            name: "category_shares", type: .category,
            parts: Parts(field: "shares", key: "person", owner: "category_id")),
        SyncTable(name: "comparison_groups", type: .comparisonGroup),
        SyncTable(name: "stores", type: .store),
        SyncTable(name: "products", type: .product),
        SyncTable(
            name: "product_packages", type: .product,
            parts: Parts(field: "packages", key: "valid_from", owner: "product_id")),
        SyncTable(name: "aliases", type: .alias),
        SyncTable(name: "ignored_names", type: .ignoredName),
        SyncTable(name: "receipts", type: .receipt),
        SyncTable(
            name: "receipt_lines", type: .receipt, parts: Parts(field: "lines", key: "id", owner: "receipt_id")),
        SyncTable(name: "images", type: .image),
        SyncTable(name: "expenses", type: .expense),
        SyncTable(
            name: "expense_shares", type: .expense,
            parts: Parts(field: "shares", key: "person", owner: "expense_id")),
        SyncTable(
            name: "expense_lines", type: .expense, parts: Parts(field: "taken", key: "line", owner: "expense_id")),
        SyncTable(name: "settlements", type: .settlement),
        SyncTable(name: "budgets", type: .budget),
        SyncTable(
            name: "budget_limits", type: .budget,
            parts: Parts(field: "limits", key: "valid_from", owner: "budget_id")),
        SyncTable(name: "expense_rules", type: .expenseRule),
        SyncTable(name: "recurring_expenses", type: .recurringExpense),
        SyncTable(name: "savings_goals", type: .savingsGoal),
        SyncTable(
            name: "savings_deposits", type: .savingsGoal,
            parts: Parts(field: "deposits", key: "id", owner: "goal_id")),
        SyncTable(name: "exchange_rates", type: .exchangeRate),
        SyncTable(name: "bank_files", type: .bankFile),
        SyncTable(
            name: "bank_bookings", type: .bankFile, parts: Parts(field: "bookings", key: "id", owner: "bank_file_id")),
        SyncTable(name: "preferences", type: .preferences),
    ]

    static func named(_ name: String) -> SyncTable? { all.first { $0.name == name } }

    private var schema: DocumentSchema { DocumentSchema[type] }

    /// The fields that the rows contain as columns.
    var fields: [DocumentField] {
        guard let parts else {
            return schema.fields.filter { field in
                if case .parts = field.shape { return false }
                return field.name != "type" && field.name != "schema"
            }
        }
        guard case .parts(_, let fields, _)? = schema.field(parts.field)?.shape else { return [] }
        return fields.filter { $0.name != "id" }
    }

    /// The name of a field's column.
    static func column(_ field: DocumentField) -> String {
        switch field.shape {
        case .reference where !field.name.hasSuffix("_id"), .person: field.name + "_id"
        default: field.name
        }
    }

    // MARK: From documents to rows

    /// Converts a document to rows. Returns each row with its identifier.
    func rows(of key: DocumentKey, _ body: JSONObject) -> [(id: String, row: JSONObject)] {
        guard let parts else {
            var row: JSONObject = ["id": .string(key.id.description)]
            for field in fields { row[Self.column(field)] = Self.plain(body[field.name], field.shape) }
            return [(key.id.description, row)]
        }
        return (body[parts.field]?.array ?? []).enumerated().compactMap { index, part in
            guard let name = part[parts.key]?.string else { return nil }
            let id = parts.key == "id" ? name : "\(key.id):\(name)"
            var row: JSONObject = ["id": .string(id), parts.owner: .string(key.id.description)]
            if parts.key == "id" { row["position"] = .integer(index) }
            for field in fields { row[Self.column(field)] = Self.plain(part[field.name], field.shape) }
            return (id, row)
        }
    }

    /// Converts the value of a field to a column: removes the type from references, and writes lists as JSON text.
    private static func plain(_ value: JSONValue?, _ shape: DocumentField.Shape) -> JSONValue {
        guard let value, value != .null else { return .null }
        switch shape {
        case .reference: return value.string.flatMap { DocumentKey($0) }.map { .string($0.id.description) } ?? .null
        case .identifier, .person:
            return value.string.map { .string($0.split(separator: ":").last.map(String.init) ?? $0) } ?? .null
        case .list, .parts, .anything: return .string(String(decoding: value.bytes, as: UTF8.self))
        default: return value
        }
    }

    // MARK: From rows to documents

    /// Copies the columns that clients may write from a row into a document or into an element of a list.
    ///
    /// - Throws: `DocumentFault` for an unknown column.
    func write(_ row: JSONObject, into object: inout JSONObject) throws(DocumentFault) {
        let columns = Dictionary(fields.map { (Self.column($0), $0) }, uniquingKeysWith: { first, _ in first })
        for member in row {
            // Skips the identifiers and WatermelonDB's own columns.
            guard !["id", "_status", "_changed", parts?.owner].contains(member.name) else { continue }
            // The position of a list element is not a field. Categories and rules, however, have a field `position`.
            guard member.name != "position" || columns["position"] != nil else { continue }
            guard let field = columns[member.name] else {
                throw DocumentFault("\(name).\(member.name): unknown column")
            }
            guard field.writer != .server else { continue }
            let value = Self.typed(member.value, field.shape)
            // A row has null for a field that the document lacks.
            guard value != .null || object[field.name] != nil else { continue }
            object[field.name] = value
        }
    }

    private static func typed(_ value: JSONValue, _ shape: DocumentField.Shape) -> JSONValue {
        guard let text = value.string else { return value }
        switch shape {
        case .reference(let type):
            return Identifier<Void>(text).map { .string(DocumentKey(type, $0).description) } ?? value
        case .person: return .string("person:\(text)")
        case .list: return (try? JSONValue(reading: text)) ?? value
        default: return value
        }
    }
}
