import Crypto
import Domain

/// The values of a receipt that a person can correct: the head and the lines.
struct ReviewDraft: Sendable, Equatable {
    /// The store's name as shown.
    var store = ""
    var day: LocalDate?
    var time: LocalTime?
    /// In minor units; nil when the total is unknown.
    var total: Int64?
    /// The currency of the total and of every line.
    var currency = Currency.eur
    /// The first day on which the other members see the receipt; nil when it is not hidden.
    var hiddenUntil: LocalDate?
    var lines: [Line] = []

    struct Line: Sendable, Equatable {
        /// The line's identifier, or a key beginning with `new`.
        var key: String
        /// Whether the line is not stored yet. If the key is a valid identifier, it becomes the identifier of the
        /// stored line.
        var isNew = false
        var name = ""
        /// In thousandths of the unit.
        var quantity: Int64 = 1000
        var unit: StoredUnit = .piece
        /// In thousandths of a minor unit for one unit.
        var unitPrice: Int64?
        /// In minor units; 0 when no amount is known.
        var total: Int64 = 0
        /// Whether the amount is unknown: the reader found none, and no person has typed one yet.
        var isUnread = false
        var kind: LineKind = .item
        var vatClass = ""
        /// Overrides the category of the line's product.
        var category: CategoryID?

        /// A field of the line as text in a fixed notation; empty for a field of the head.
        subscript(field: ReviewField) -> String {
            switch field {
            case .name: name
            case .quantity: "\(quantity) \(unit.rawValue)"
            case .unitPrice: unitPrice.map(String.init) ?? ""
            case .total: isUnread ? "" : String(total)
            case .kind: kind.rawValue
            case .vatClass: vatClass
            case .category: category?.description ?? ""
            case .store, .day, .time, .currency, .hiddenUntil: ""
            }
        }

        /// Copies one field from another version of the line.
        mutating func take(_ field: ReviewField, from other: Line) {
            switch field {
            case .name: name = other.name
            case .quantity: (quantity, unit) = (other.quantity, other.unit)
            case .unitPrice: unitPrice = other.unitPrice
            case .total: (total, isUnread) = (other.total, other.isUnread)
            case .kind: kind = other.kind
            case .vatClass: vatClass = other.vatClass
            case .category: category = other.category
            case .store, .day, .time, .currency, .hiddenUntil: break
            }
        }
    }

    /// A field of the head as text in a fixed notation; empty for a field of a line.
    subscript(head field: ReviewField) -> String {
        switch field {
        case .store: store
        case .day: day?.iso ?? ""
        case .time: time?.iso ?? ""
        case .total: total.map(String.init) ?? ""
        case .currency: currency.rawValue
        case .hiddenUntil: hiddenUntil?.iso ?? ""
        case .name, .quantity, .unitPrice, .kind, .vatClass, .category: ""
        }
    }

    /// Copies one field of the head from another version.
    mutating func take(head field: ReviewField, from other: ReviewDraft) {
        switch field {
        case .store: store = other.store
        case .day: day = other.day
        case .time: time = other.time
        case .total: total = other.total
        case .currency: currency = other.currency
        case .hiddenUntil: hiddenUntil = other.hiddenUntil
        case .name, .quantity, .unitPrice, .kind, .vatClass, .category: break
        }
    }

    /// The lines by their keys.
    func linesByKey() -> [String: Line] {
        Dictionary(lines.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// For each discount, the number of items above it that are in `keys`. If this number changes, the discount was
    /// moved.
    func itemsAboveDiscounts(among keys: Set<String>) -> [String: Int] {
        var above: [String: Int] = [:]
        var count = 0
        for line in lines {
            if line.kind == .item, keys.contains(line.key) { count += 1 }
            if line.kind == .discount { above[line.key] = count }
        }
        return above
    }

    /// Gives each new line an identifier derived from the form, so that a form that is sent twice adds its lines once.
    ///
    /// - Parameter form: identifies the submitted form.
    mutating func identifyNewLines(of receipt: ReceiptID, form: String) {
        for index in lines.indices where lines[index].key.hasPrefix("new") {
            let digest = sha256("\(receipt) \(form) \(lines[index].key)".utf8)
            guard let id = ReceiptLineID(derivedFrom: digest) else { continue }
            (lines[index].key, lines[index].isNew) = (id.description, true)
        }
    }

    /// Whether both drafts have the same printed values. Ignores the categories of lines, which are not printed.
    func hasSamePrint(as other: ReviewDraft) -> Bool {
        var (mine, theirs) = (self, other)
        for index in mine.lines.indices { mine.lines[index].category = nil }
        for index in theirs.lines.indices { theirs.lines[index].category = nil }
        return mine == theirs
    }

    /// Sum of the lines minus the total in minor units, clamped to the range of an amount; nil without a total.
    var difference: Int64? {
        guard let total else { return nil }
        return max(-Money.limit, min(Money.limit, max(-Money.limit, min(Money.limit, sum ?? 0)) - total))
    }

    /// Sum of the lines in minor units; nil when it overflows.
    var sum: Int64? {
        lines.reduce(Int64?(0)) { sum, line in
            sum.flatMap { known in
                let (result, overflow) = known.addingReportingOverflow(line.total)
                return overflow ? nil : result
            }
        }
    }
}

/// The error of a change that would remove values that a confirmed receipt needs.
struct MissingRequiredValues: Error {
    let fields: [ReviewField]
}

extension ReviewDraft {
    /// Checks that the draft has the values that a confirmed receipt needs: the day, the store and the total. Months
    /// need the day, prices need the store, and sums need the total.
    ///
    /// - Parameter stored: the confirmed receipt. If it was confirmed without a store, the store may stay empty. If it
    ///   was confirmed without a total, it needs at least one line or a total.
    func checkRequiredValues(stored: ReviewDraft) throws(MissingRequiredValues) {
        var fields: [ReviewField] = []
        if day == nil { fields.append(.day) }
        if store.isEmpty, !stored.store.isEmpty { fields.append(.store) }
        if total == nil, stored.total != nil || (lines.isEmpty && !stored.lines.isEmpty) { fields.append(.total) }
        guard fields.isEmpty else { throw MissingRequiredValues(fields: fields) }
    }
}
