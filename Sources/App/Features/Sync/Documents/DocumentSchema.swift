import Domain
import JSON

/// The fields of a document type, with the rules for writing and merging them.
///
/// The published JSON Schemas are generated from this type, and incoming documents are checked against it.
struct DocumentSchema: Sendable {
    /// The version of the schemas, which each document states in its field `schema`.
    static let version: Int64 = 1

    let type: DocumentType
    /// The description in the published schema.
    let summary: String
    let fields: [DocumentField]
    /// Whether clients may write documents of this type.
    var isWritable = true

    static let all: [DocumentSchema] = [
        .receipt, .image, .product, .alias, .store, .category, .comparisonGroup, .preferences, .ignoredName,
        .expense, .settlement, .budget, .expenseRule, .recurringExpense, .savingsGoal, .exchangeRate, .bankFile,
    ]

    static subscript(type: DocumentType) -> DocumentSchema {
        switch type {
        case .receipt: receipt
        case .image: image
        case .product: product
        case .alias: alias
        case .store: store
        case .category: category
        case .comparisonGroup: comparisonGroup
        case .preferences: preferences
        case .ignoredName: ignoredName
        case .expense: expense
        case .settlement: settlement
        case .budget: budget
        case .expenseRule: expenseRule
        case .recurringExpense: recurringExpense
        case .savingsGoal: savingsGoal
        case .exchangeRate: exchangeRate
        case .bankFile: bankFile
        case .wine, .wineBottle, .wineScan, .wineCatalogue:
            unpublished(type)
        }
    }

    func field(_ name: String) -> DocumentField? { fields.first { $0.name == name } }

    /// Returns the names of fields that are not in the schema. Newer clients may write such fields.
    func unknownNames(in body: JSONObject) -> [String] {
        body.names.filter { name in !name.hasPrefix("_") && field(name) == nil }
    }
}

/// One field of a document.
struct DocumentField: Sendable {
    enum Writer: Sendable {
        /// Clients write the field. Concurrent changes are merged field by field.
        case client
        /// Clients write the field when they create the document. The server ignores later changes.
        case creator
        /// Only the server writes the field. The server ignores values from clients.
        case server
    }

    indirect enum Shape: Sendable {
        case text(minimum: Int, maximum: Int)
        case integer(ClosedRange<Int64>)
        case bool
        case day
        case time
        case instant
        case choice([String])
        /// The key of another document.
        case reference(DocumentType)
        /// `person:<uuid>` of a current or former member.
        case person
        /// A UUID without a type. In fields that only the server writes, also `person:<uuid>`.
        case identifier
        case list(Shape, maximum: Int)
        /// A list of objects. One field identifies each object.
        case parts(key: String, [DocumentField], maximum: Int)
        case anything
    }

    let name: String
    let shape: Shape
    let writer: Writer
    let isOptional: Bool
    /// The name of a group of fields that are merged together, such as an amount and its unit; nil for no group.
    let group: String?

    init(
        _ name: String, _ shape: Shape, _ writer: Writer = .client, optional isOptional: Bool = false,
        group: String? = nil
    ) {
        self.name = name
        self.shape = shape
        self.writer = writer
        self.isOptional = isOptional
        self.group = group
    }
}
