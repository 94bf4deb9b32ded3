import DocumentParsing
import Domain
import JSON
import Postgres
import Recognition

/// A reading in the form of the database columns.
struct StoredReading: Sendable {
    let receipt: ParsedReceipt
    /// Nil when it is not needed, as for a proven supermarket receipt.
    private let paper: PaperReading?
    private let proposals: ParsedReceipt.Proposals

    /// The greatest length of a line's name.
    private static let nameLength = 200

    /// - Parameters:
    ///   - receipt: the parsed receipt. Figures that exceed the range of their column are dropped, and unconfirmed
    ///     repairs become proposals.
    ///   - paper: the reading as a document other than a supermarket receipt. Its values are used if `receipt` does not
    ///     have them.
    init(receipt: ParsedReceipt, paper: PaperReading? = nil) {
        var completed = receipt
        if let paper { completed.complete(paper) }
        let isGrocery = completed.isOfGrocer && !completed.items.isEmpty
        let isNeeded = completed.state != .proven || paper?.kind != nil || completed.items.isEmpty
        self.paper = isNeeded && !isGrocery ? paper : nil
        (self.receipt, proposals) = completed.limitedToColumns().undoingUnconfirmedRepairs()
    }

    // MARK: Head

    var verdict: Verdict { Verdict(receipt.state) }

    /// The most informative reason first.
    var reasons: [Reason] {
        var reasons: [Reason] = receipt.isTotalComputed ? [Reason(.totalComputed)] : []
        for found in receipt.reasons {
            let reason = Self.reason(found, receipt)
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        let isUnbalanced = receipt.items.allSatisfy { $0.total != nil } && isUnbalancedByUndoing
        if isUnbalanced, !reasons.contains(.difference), let difference = Self.difference(receipt) {
            reasons.append(difference)
        }
        if receipt.hasOtherSheet { reasons.append(Reason(.otherSheet)) }
        // `unproven` comes last, because it is less informative than the other reasons.
        return reasons.filter { $0.code != .unproven } + reasons.filter { $0.code == .unproven }
    }

    /// Whether the lines no longer add up to the total because a repair was undone.
    private var isUnbalancedByUndoing: Bool {
        guard let total = receipt.total?.value else { return false }
        return !proposals.isEmpty
            && receipt.items.reduce(0) { $0 + ($1.total?.value.minorUnits ?? 0) } != total.minorUnits
    }

    private static func reason(_ reason: ParsedReceipt.Reason, _ receipt: ParsedReceipt) -> Reason {
        switch reason {
        case .nothingRead, .tooLong: Reason(.unreadable)
        case .totalMissing, .totalUnconfirmed: Reason(receipt.total == nil ? .noTotal : .unproven)
        case .sumDiffers: difference(receipt) ?? Reason(.unproven)
        case .lineUnreadable: Reason(.line)
        case .currencyForeign: Reason(.currency)
        case .repairUnconfirmed: Reason(.repair)
        case .unexplainedLine: Reason(.unexplained)
        case .gapBetweenLines: Reason(.gap)
        case .quantityDiffers, .quantityAmbiguous: Reason(.unitPrice)
        case .quantityUnconfirmed, .kindDoubtful, .laterTotal, .paymentDiffers: Reason(.unproven)
        case .taxTableDiffers, .taxClassDiffers: Reason(.vat)
        case .articleCountDiffers: Reason(.count)
        case .fiscalCodeDiffers: Reason(.fiscal)
        case .dateMissing: Reason(.noDay)
        case .dateUnconfirmed, .dateDisagrees: Reason(.day)
        case .pagesApart: Reason(.pages)
        case .training: Reason(.training)
        case .cancelled: Reason(.cancelled)
        }
    }

    private static func difference(_ receipt: ParsedReceipt) -> Reason? {
        guard let total = receipt.total?.value,
            let sum = try? Money.sum(of: receipt.items.compactMap(\.total?.value), currency: receipt.currency)
        else { return nil }
        return .difference(lines: sum, total: total)
    }

    /// Doubtful fields of the head.
    var doubts: [ReviewField] {
        var fields: [ReviewField] = []
        if receipt.chain == nil, receipt.store.name == nil { fields.append(.store) }
        // A day that contradicts other printed values is also marked in the form.
        if receipt.date?.isDoubtful ?? true || receipt.reasons.contains(where: \.isAboutDay) { fields.append(.day) }
        if receipt.time?.isDoubtful ?? false { fields.append(.time) }
        if receipt.total?.isDoubtful ?? true || receipt.isTotalComputed { fields.append(.total) }
        return fields
    }

    /// The boxes of the head's values in pixels of the reading picture: `{"total": [page, x, y, width, height]}`.
    var marks: PostgresJSON {
        var json = JSONWriter()
        json.object { json in
            Self.mark(.day, receipt.date?.page, receipt.date?.box, &json)
            Self.mark(.time, receipt.time?.page, receipt.time?.box, &json)
            Self.mark(.total, receipt.total?.page, receipt.total?.box, &json)
        }
        return PostgresJSON(json.bytes)
    }

    /// Writes where a field was found: the page, and the box in pixels.
    private static func mark(_ field: ReviewField, _ page: Int?, _ box: PixelBox?, _ json: inout JSONWriter) {
        guard let page, let box else { return }
        json.array(field.rawValue) { json in
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

    /// The tax table, the number of articles, the change, the method of payment, a proposed total, and the payment data
    /// of documents other than supermarket receipts.
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
            if let repair = proposals.total {
                json.array("repairs") { Self.write(.total, repair, isProposed: true, &$0) }
            }
            if let paper { StoredPaper.write(paper, receipt.currency, isProven: receipt.state == .proven, &json) }
            json.member("articles", receipt.articleCount)
            json.member("change", receipt.change?.minorUnits)
            json.member("payment", receipt.paymentMethod?.rawValue)
        }
        return PostgresJSON(json.bytes)
    }

    /// Identifies the purchase: the till and the receipt number from a fiscal code, or the same data printed as text.
    var purchaseKey: String? {
        let code = receipt.fiscalCode.map { ($0.scheme, $0.till, $0.number) }
        let text = receipt.fiscalText?.key.map { (FiscalCode.Scheme.german, $0.till, $0.number) }
        return (code ?? text).map { Self.cut("\($0.rawValue):\($1):\($2)", 300) }
    }

    // MARK: Lines

    /// Statements that insert the lines, in their order.
    func insertLines(_ household: HouseholdID, _ id: ReceiptID) -> [SQL] {
        let ids = receipt.items.map { _ in ReceiptLineID.new() }
        let contradicted = receipt.contradictedClasses
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
                    \(bound), \(Self.doubts(item, contradicted)), \(Self.repairs(item, proposals.items[index])),
                    \(box.map { _ in Int32(item.name.page) }), \(box.map { Int32($0.x) }), \(box.map { Int32($0.y) }),
                    \(box.map { Int32($0.width) }), \(box.map { Int32($0.height) }))
                """
        }
    }

    /// The names of doubtful fields, and `unread` for an amount that was not read.
    ///
    /// - Parameter contradicted: tax classes whose lines do not add up to their row of the tax table. One of these
    ///   lines, or a line without a class, is wrong.
    private static func doubts(_ item: ParsedReceipt.Item, _ contradicted: Set<String>) -> [String] {
        var fields: [ReviewField] = []
        if item.name.isDoubtful { fields.append(.name) }
        if item.quantity.isDoubtful { fields.append(.quantity) }
        if item.unitPrice?.isDoubtful ?? false { fields.append(.unitPrice) }
        let isContradicted = !contradicted.isEmpty && item.vatClass.map(contradicted.contains) ?? true
        if item.total?.isDoubtful ?? true || isContradicted { fields.append(.total) }
        return fields.map(\.rawValue) + (item.total == nil ? [unread] : [])
    }

    /// An element of a line's `doubts`: the amount was not read, and is stored as 0. It is removed when a person types
    /// an amount.
    static let unread = "unread"

    /// A condition on the line `l`: its amount is known.
    static var isRead: SQL { "NOT \(unread) = ANY(l.doubts)" }

    /// The alternative readings of a line's figures, for the column `repairs`.
    private static func repairs(_ item: ParsedReceipt.Item, _ proposal: Repair?) -> PostgresJSON {
        var json = JSONWriter()
        json.array { json in
            let repairs = [
                (ReviewField.quantity, item.quantity.repair), (.unitPrice, item.unitPrice?.repair),
                (.total, proposal ?? item.total?.repair),
            ]
            for (field, repair) in repairs {
                guard let repair else { continue }
                Self.write(field, repair, isProposed: field == .total && proposal != nil, &json)
            }
        }
        return PostgresJSON(json.bytes)
    }

    private static func write(
        _ field: ReviewField, _ repair: Repair, isProposed: Bool, _ json: inout JSONWriter
    ) {
        json.object { json in
            json.member("field", field.rawValue)
            json.member("was", repair.printed)
            json.member("is", repair.value)
            json.member("reason", repair.reason.rawValue)
            if isProposed { json.member("proposed", true) }
        }
    }

    private static func name(_ printed: String) -> String {
        let name = cut(printed.filter { $0 != "\0" }.trimmed, nameLength)
        return name.isEmpty ? "?" : name
    }

    /// Cuts the text to a number of Unicode scalars, because the database counts scalars instead of characters.
    private static func cut(_ text: String, _ length: Int) -> String {
        text.unicodeScalars.count <= length
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
    }
}

extension ParsedReceipt.Reason {
    fileprivate var isAboutDay: Bool { self == .dateUnconfirmed || self == .dateDisagrees }
}
