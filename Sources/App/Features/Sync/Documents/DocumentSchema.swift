import Domain
import JSON

/// The fields of a type of document: what clients may write, what is the server's, and how both are merged.
///
/// The published JSON Schemas are made of this, and documents are checked against it when they arrive.
struct DocumentSchema: Sendable {
    /// The version of all schemas; clients see it in the field `schema`.
    static let version: Int64 = 1

    let type: DocumentType
    /// One sentence for the published schema.
    let summary: String
    let fields: [DocumentField]
    /// Whether clients write documents of this type.
    var isWritable = true

    static let all: [DocumentSchema] = [
        .receipt, .image, .product, .alias, .store, .category, .comparisonGroup, .preferences, .ignoredName,
        .expense, .settlement, .budget, .expenseRule, .recurringExpense, .savingsGoal,
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
        case .wine, .wineBottle, .wineScan, .wineCatalogue:
            unpublished(type)
        }
    }

    func field(_ name: String) -> DocumentField? { fields.first { $0.name == name } }

    /// Names that this server does not know: fields of newer clients.
    func unknownNames(in body: JSONObject) -> [String] {
        body.names.filter { name in !name.hasPrefix("_") && field(name) == nil }
    }
}

/// One field of a document.
struct DocumentField: Sendable {
    enum Writer: Sendable {
        /// Clients; merged field by field.
        case client
        /// Clients, when they create the document; afterwards the server puts the stored value back.
        case creator
        /// The server alone; what clients send is put back.
        case server
    }

    indirect enum Shape: Sendable {
        case text(least: Int, most: Int)
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
        /// `person:<uuid>`, or an identifier without a type.
        case identifier
        case list(Shape, most: Int)
        /// Objects with a field that identifies each.
        case parts(key: String, [DocumentField], most: Int)
        case anything
    }

    let name: String
    let shape: Shape
    let writer: Writer
    let isOptional: Bool
    /// The name of fields that are merged together, such as an amount and its unit.
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
