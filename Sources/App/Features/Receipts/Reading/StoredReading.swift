import DocumentParsing
import Domain
import JSON
import Postgres
import Recognition

/// A reading as the database keeps it: the head's columns and the lines, ready to be written.
struct StoredReading: Sendable {
    let receipt: ParsedReceipt

    /// Longest name a line keeps.
    private static let nameLength = 200

    /// - Parameter receipt: as it was understood; figures that no column takes are dropped and doubtful.
    init(receipt: ParsedReceipt) { self.receipt = receipt.heldToColumns() }

    // MARK: Head

    var verdict: String { receipt.state.rawValue }

    /// Codes of `server.reason`, the most telling first.
    var reasons: [String] {
        var codes: [String] = []
        for reason in receipt.reasons {
            let code = Self.code(reason, receipt)
            if !codes.contains(code) { codes.append(code) }
        }
        // That nothing could be proven is what the others say more precisely.
        return codes.filter { $0 != "unproven" } + codes.filter { $0 == "unproven" }
    }

    private static func code(_ reason: ParsedReceipt.Reason, _ receipt: ParsedReceipt) -> String {
        switch reason {
        case .nothingRead, .tooLong: "unreadable"
        case .totalMissing, .totalUnconfirmed: receipt.total == nil ? "no-total" : "unproven"
        case .sumDiffers: difference(receipt) ?? "unproven"
        case .lineUnreadable: "line"
        case .repairUnconfirmed: "repair"
        case .unexplainedLine: "unexplained"
        case .gapBetweenLines: "gap"
        case .quantityDiffers, .quantityAmbiguous: "unit-price"
        case .quantityUnconfirmed, .kindDoubtful, .laterTotal, .paymentDiffers: "unproven"
        case .taxTableDiffers, .taxClassDiffers: "vat"
        case .articleCountDiffers: "count"
        case .fiscalCodeDiffers: "fiscal"
        case .dateMissing: "no-day"
        case .dateUnconfirmed, .dateDisagrees: "day"
        case .pagesApart: "pages"
        case .training: "training"
        case .cancelled: "cancelled"
        }
    }

    private static func difference(_ receipt: ParsedReceipt) -> String? {
        guard let total = receipt.total?.value,
            let sum = try? Money.sum(of: receipt.items.compactMap(\.total?.value), currency: receipt.currency)
        else { return nil }
        return "difference|\(sum.formatted())|\(total.formatted())"
    }

    /// Doubtful fields of the head.
    var doubts: [String] {
        var fields: [String] = []
        if receipt.chain == nil, receipt.store.name == nil { fields.append("store") }
        // A day that is spoken against is marked where it stands, not only above the form.
        if receipt.date?.isDoubtful ?? true || receipt.reasons.contains(where: \.isAboutDay) { fields.append("day") }
        if receipt.time?.isDoubtful ?? false { fields.append("time") }
        if receipt.total?.isDoubtful ?? true { fields.append("total") }
        return fields
    }

    /// Boxes of the head's values in reading-picture pixels: `{"total": [page, x, y, width, height]}`.
    var marks: PostgresJSON {
        var json = JSONWriter()
        json.object { json in
            Self.mark("day", receipt.date?.page, receipt.date?.box, &json)
            Self.mark("time", receipt.time?.page, receipt.time?.box, &json)
            Self.mark("total", receipt.total?.page, receipt.total?.box, &json)
        }
        return PostgresJSON(json.bytes)
    }

    private static func mark(_ name: String, _ page: Int?, _ box: PixelBox?, _ json: inout JSONWriter) {
        guard let page, let box else { return }
        json.array(name) { json in
            for number in [page, box.x, box.y, box.width, box.height] { json.value(number) }
        }
    }

    /// The store as printed: {"chain","name","street","town"}.
    var printedStore: PostgresJSON {
        var json = JSONWriter()
        json.object { json in
            json.member("chain", receipt.chain ?? "")
            json.member("name", Self.cut(receipt.chain ?? receipt.store.name ?? "", 80))
            json.member("street", Self.cut(receipt.store.street ?? "", 120))
            json.member("town", Self.cut(receipt.store.town ?? "", 120))
        }
        return PostgresJSON(json.bytes)
    }

    /// VAT table, payments and counts as witnesses; nothing in it names a person or a card.
    var evidence: PostgresJSON {
        var json = JSONWriter()
        json.object { json in
            json.array("vat") { json in
                for row in receipt.taxTable {
                    json.object { json in
                        json.member("class", row.vatClass)
                        json.member("rate", row.rate.map { $0.tenthsOfPercent })
                        json.member("net", row.net)
                        json.member("tax", row.tax)
                        json.member("gross", row.gross)
                    }
                }
            }
            json.member("articles", receipt.articleCount)
            json.member("change", receipt.change?.minorUnits)
        }
        return PostgresJSON(json.bytes)
    }

    /// What makes the purchase unmistakable: till and number of a fiscal code, or of the same data printed as text.
    var purchaseKey: String? {
        let code = receipt.fiscalCode.map { ($0.scheme, $0.till, $0.number) }
        let text = receipt.fiscalText?.key.map { (FiscalCode.Scheme.german, $0.till, $0.number) }
        return (code ?? text).map { Self.cut("\($0.rawValue):\($1):\($2)", 300) }
    }

    // MARK: Lines

    /// Statements that insert the lines, in their order.
    func insertLines(_ household: HouseholdID, _ id: ReceiptID) -> [SQL] {
        let ids = receipt.items.map { _ in ReceiptLineID.new() }
        return receipt.items.enumerated().map { index, item in
            let quantity = item.quantity.value.stored
            let box = item.total?.box.map { total in item.name.box?.union(total) ?? total } ?? item.name.box
            let bound = item.reducedItem.flatMap { ids.indices.contains($0) ? ids[$0] : nil }
            let name = Self.name(item.name.value)
            return """
                INSERT INTO receipt_line
                    (household_id, id, receipt_id, position, kind, printed_name, alias_key, quantity_thousandths, unit,
                    unit_price_thousandths, total_minor, vat_class, vat_rate, bound_line_id, doubts, repairs,
                    page, box_x, box_y, box_width, box_height)
                VALUES (\(household), \(ids[index]), \(id), \(Int32(index)), \(item.kind), \(name),
                    \(AliasKey(printed: name)?.text ?? ""), \(quantity.thousandths), \(quantity.unit),
                    \(item.unitPrice?.value.stored), \(item.total?.value.minorUnits ?? 0),
                    \(Self.cut(item.vatClass ?? "", TextLimit.vatClass)), \(item.vatRate.map { Int32($0.tenthsOfPercent * 10) }),
                    \(bound), \(Self.doubts(item)), \(Self.repairs(item)),
                    \(box.map { _ in Int32(item.name.page) }), \(box.map { Int32($0.x) }), \(box.map { Int32($0.y) }),
                    \(box.map { Int32($0.width) }), \(box.map { Int32($0.height) }))
                """
        }
    }

    private static func doubts(_ item: ParsedReceipt.Item) -> [String] {
        var fields: [String] = []
        if item.name.isDoubtful { fields.append("name") }
        if item.quantity.isDoubtful { fields.append("quantity") }
        if item.unitPrice?.isDoubtful ?? false { fields.append("unit_price") }
        if item.total?.isDoubtful ?? true { fields.append("total") }
        if item.total == nil { fields.append(unread) }
        return fields
    }

    /// Among a line's doubts: its amount, stored as 0, is none that was read. It stays until somebody types one.
    static let unread = "unread"

    /// Whether line `l` has an amount.
    static var isRead: SQL { "NOT \(unread) = ANY(l.doubts)" }

    private static func repairs(_ item: ParsedReceipt.Item) -> PostgresJSON {
        var json = JSONWriter()
        json.array { json in
            let repairs = [
                ("quantity", item.quantity.repair), ("unit_price", item.unitPrice?.repair),
                ("total", item.total?.repair),
            ]
            for (field, repair) in repairs {
                guard let repair else { continue }
                json.object { json in
                    json.member("field", field)
                    json.member("was", repair.printed)
                    json.member("is", repair.value)
                    json.member("reason", repair.reason.rawValue)
                }
            }
        }
        return PostgresJSON(json.bytes)
    }

    private static func name(_ printed: String) -> String {
        let name = cut(printed.filter { $0 != "\0" }.trimmed, nameLength)
        return name.isEmpty ? "?" : name
    }

    /// At most so many Unicode scalars: the database counts them, not characters.
    private static func cut(_ text: String, _ length: Int) -> String {
        text.unicodeScalars.count <= length
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
    }
}

extension ParsedReceipt.Reason {
    fileprivate var isAboutDay: Bool { self == .dateUnconfirmed || self == .dateDisagrees }
}
