import Domain

extension DocumentSchema {
    static let header: [DocumentField] = [
        DocumentField("type", .text(minimum: 1, maximum: 40), .server),
        DocumentField("schema", .integer(1...1_000), .server),
    ]
    static let created = DocumentField("created_at", .instant, .server, optional: true)
    private static let chain = DocumentField("chain", .text(minimum: 1, maximum: TextLimit.storeName), .creator)
    private static let units = ["piece", "kg", "l", "m"]

    static let receipt = DocumentSchema(
        type: .receipt, summary: "A receipt with its lines. Amounts are in minor units of the currency.",
        fields: header + [
            DocumentField("stage", .choice(Stage.allCases.map(\.rawValue))),
            DocumentField("discarded", .bool, optional: true),
            DocumentField("store", .text(minimum: 0, maximum: TextLimit.storeName), optional: true),
            DocumentField("day", .day, optional: true),
            DocumentField("time", .time, optional: true),
            DocumentField("currency", .choice(Currency.allCases.map(\.rawValue)), optional: true),
            DocumentField("total_minor", .integer(-100_000_000...100_000_000), optional: true),
            DocumentField("hidden_until", .day, optional: true),
            DocumentField("lines", .parts(key: "id", line, maximum: ReviewForm.maximumLines), optional: true),
            DocumentField("images", .list(.reference(.image), maximum: 50), .creator, optional: true),
            DocumentField("store_id", .reference(.store), .server, optional: true),
            DocumentField("verdict", .choice(Verdict.allCases.map(\.rawValue)), .server, optional: true),
            DocumentField("reasons", .list(.anything, maximum: 1_000), .server, optional: true),
            DocumentField("doubts", .list(.text(minimum: 0, maximum: 40), maximum: 100), .server, optional: true),
            DocumentField("source", .text(minimum: 0, maximum: 40), .server, optional: true),
            DocumentField("person", .identifier, .server, optional: true),
            DocumentField("duplicate_of", .reference(.receipt), .server, optional: true),
            created, DocumentField("confirmed_at", .instant, .server, optional: true),
        ])

    private static let line: [DocumentField] = [
        DocumentField("id", .identifier, .creator),
        DocumentField("kind", .choice(LineKind.allCases.map(\.rawValue)), optional: true),
        DocumentField("name", .text(minimum: 1, maximum: TextLimit.printedName)),
        DocumentField(
            "quantity_thousandths", .integer(-100_000_000...100_000_000), optional: true, group: "quantity"),
        DocumentField("unit", .choice(units), optional: true, group: "quantity"),
        DocumentField("unit_price_thousandths", .integer(-100_000_000_000...100_000_000_000), optional: true),
        DocumentField("total_minor", .integer(-100_000_000...100_000_000)),
        DocumentField("vat_class", .text(minimum: 0, maximum: TextLimit.vatClass), optional: true),
        DocumentField("vat_rate", .integer(0...10_000), .server, optional: true),
        DocumentField("product", .reference(.product), .server, optional: true),
        DocumentField("category", .reference(.category), optional: true),
        DocumentField("reduces", .identifier, .server, optional: true),
        DocumentField("doubts", .list(.text(minimum: 0, maximum: 40), maximum: 100), .server, optional: true),
    ]

    static let image = DocumentSchema(
        type: .image, summary: "An uploaded picture or document of a receipt; its bytes are attachments.",
        fields: header + [
            DocumentField("receipt", .reference(.receipt), .creator, optional: true),
            DocumentField("name", .text(minimum: 0, maximum: 200), .creator, optional: true),
            DocumentField("media_type", .text(minimum: 0, maximum: 100), .server, optional: true),
            DocumentField("size", .integer(0...1 << 40), .server, optional: true),
            DocumentField("position", .integer(0...100_000), .server, optional: true), created,
        ])

    static let product = DocumentSchema(
        type: .product, summary: "A product of one chain, with the sizes of its package.",
        fields: header + [
            chain, DocumentField("name", .text(minimum: 1, maximum: TextLimit.productName)),
            DocumentField("category", .reference(.category), optional: true),
            DocumentField("group", .reference(.comparisonGroup), optional: true),
            DocumentField("packages", .parts(key: "valid_from", package, maximum: 500), optional: true), created,
        ])

    private static let package: [DocumentField] = [
        DocumentField("valid_from", .day, .creator),
        DocumentField("amount_thousandths", .integer(1...1_000_000_000), group: "size"),
        DocumentField("unit", .choice(units), group: "size"),
    ]

    static let alias = DocumentSchema(
        type: .alias, summary: "A name that a chain prints for a product.",
        fields: header + [
            chain, DocumentField("printed_name", .text(minimum: 1, maximum: TextLimit.printedName), .creator),
            DocumentField("product", .reference(.product)), created,
        ])

    static let store = DocumentSchema(
        type: .store, summary: "A store of a chain.",
        fields: header + [
            DocumentField("chain", .text(minimum: 1, maximum: TextLimit.storeName), .creator, optional: true),
            DocumentField("name", .text(minimum: 1, maximum: TextLimit.storeName)),
            DocumentField("street", .text(minimum: 0, maximum: 120), optional: true),
            DocumentField("town", .text(minimum: 0, maximum: 120), optional: true), created,
        ])

    static let category = DocumentSchema(
        type: .category, summary: "A category of products and lines, with the split proposed for its new expenses.",
        fields: header + [
            DocumentField("name", .text(minimum: 1, maximum: TextLimit.categoryName)),
            DocumentField("parent", .reference(.category), optional: true),
            DocumentField("colour", .text(minimum: 1, maximum: 40), optional: true),
            DocumentField("icon", .text(minimum: 1, maximum: 40), optional: true),
            DocumentField("position", .integer(0...1_000_000), optional: true),
            DocumentField("split", .choice(CategorySplit.methods.map(\.rawValue)), optional: true), shares,
            DocumentField("key", .text(minimum: 0, maximum: 40), .server, optional: true),
        ])

    static let comparisonGroup = DocumentSchema(
        type: .comparisonGroup, summary: "A kind of product that several chains sell, and the unit of its base price.",
        fields: header + [
            DocumentField("name", .text(minimum: 1, maximum: TextLimit.groupName)),
            DocumentField("base_unit", .choice(units)), created,
        ])

    static let preferences = DocumentSchema(
        type: .preferences,
        summary: "A person's preferences. Only that person receives them. The id is the person's id.",
        fields: header + [DocumentField("language", .choice(Language.allCases.map(\.rawValue)))])

    static let ignoredName = DocumentSchema(
        type: .ignoredName, summary: "A name that a chain prints and that belongs to no product.",
        fields: header + [
            DocumentField("chain", .text(minimum: 1, maximum: TextLimit.storeName), .server),
            DocumentField("alias_key", .text(minimum: 1, maximum: TextLimit.printedName), .server), created,
        ], isWritable: false)

    /// Returns a schema with the header fields only, for a type that clients neither receive nor write.
    static func unpublished(_ type: DocumentType) -> DocumentSchema {
        DocumentSchema(type: type, summary: "", fields: header, isWritable: false)
    }
}
