import Crypto
import Domain

/// What a person can correct on a receipt: the head and the lines, as values.
struct ReviewDraft: Sendable, Equatable {
    /// Name of the store as shown.
    var store = ""
    var day: LocalDate?
    var time: LocalTime?
    var total: Int64?
    /// Of the total and of every line.
    var currency = Currency.eur
    var hiddenUntil: LocalDate?
    var lines: [Line] = []

    struct Line: Sendable, Equatable {
        /// The line's identifier, or a key beginning with `new`.
        var key: String
        /// Not stored yet; the key becomes its identifier when it is one.
        var isNew = false
        var name = ""
        var quantity: Int64 = 1000
        var unit: StoredUnit = .piece
        /// Thousandths of a minor unit for one unit.
        var unitPrice: Int64?
        /// Minor units; 0 where none was read.
        var total: Int64 = 0
        /// The reader found no amount, and no person has typed one.
        var isUnread = false
        var kind: LineKind = .item
        var vatClass = ""

        /// A field as canonical text; empty for a field of the head.
        subscript(field: ReviewField) -> String {
            switch field {
            case .name: name
            case .quantity: "\(quantity) \(unit.rawValue)"
            case .unitPrice: unitPrice.map(String.init) ?? ""
            case .total: isUnread ? "" : String(total)
            case .kind: kind.rawValue
            case .vatClass: vatClass
            case .store, .day, .time, .currency, .hiddenUntil: ""
            }
        }

        /// Takes one field over from another version of the line.
        mutating func take(_ field: ReviewField, from other: Line) {
            switch field {
            case .name: name = other.name
            case .quantity: (quantity, unit) = (other.quantity, other.unit)
            case .unitPrice: unitPrice = other.unitPrice
            case .total: (total, isUnread) = (other.total, other.isUnread)
            case .kind: kind = other.kind
            case .vatClass: vatClass = other.vatClass
            case .store, .day, .time, .currency, .hiddenUntil: break
            }
        }
    }

    /// A field of the head as canonical text; empty for a field of a line.
    subscript(head field: ReviewField) -> String {
        switch field {
        case .store: store
        case .day: day?.iso ?? ""
        case .time: time?.iso ?? ""
        case .total: total.map(String.init) ?? ""
        case .currency: currency.rawValue
        case .hiddenUntil: hiddenUntil?.iso ?? ""
        case .name, .quantity, .unitPrice, .kind, .vatClass: ""
        }
    }

    mutating func take(head field: ReviewField, from other: ReviewDraft) {
        switch field {
        case .store: store = other.store
        case .day: day = other.day
        case .time: time = other.time
        case .total: total = other.total
        case .currency: currency = other.currency
        case .hiddenUntil: hiddenUntil = other.hiddenUntil
        case .name, .quantity, .unitPrice, .kind, .vatClass: break
        }
    }

    /// The lines by their keys.
    func linesByKey() -> [String: Line] {
        Dictionary(lines.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// For each discount the number of items in `keys` above it. A changed number means that it was moved.
    func itemsAboveDiscounts(among keys: Set<String>) -> [String: Int] {
        var above: [String: Int] = [:]
        var count = 0
        for line in lines {
            if line.kind == .item, keys.contains(line.key) { count += 1 }
            if line.kind == .discount { above[line.key] = count }
        }
        return above
    }

    /// Gives each new line an identifier derived from the form, so that sending the form twice adds its lines once.
    ///
    /// - Parameter form: unique to the form.
    mutating func identifyNewLines(of receipt: ReceiptID, form: String) {
        for index in lines.indices where lines[index].key.hasPrefix("new") {
            let digest = sha256("\(receipt) \(form) \(lines[index].key)".utf8)
            guard let id = ReceiptLineID(derivedFrom: digest) else { continue }
            (lines[index].key, lines[index].isNew) = (id.description, true)
        }
    }

    /// Sum of the lines minus the total in minor units, clamped to the range of an amount; nil without a total.
    var difference: Int64? {
        guard let total else { return nil }
        return max(-Money.limit, min(Money.limit, max(-Money.limit, min(Money.limit, sum ?? 0)) - total))
    }

    /// Sum of the line totals in minor units; nil when it leaves the range.
    var sum: Int64? {
        lines.reduce(Int64?(0)) { sum, line in
            sum.flatMap { known in
                let (result, overflow) = known.addingReportingOverflow(line.total)
                return overflow ? nil : result
            }
        }
    }
}

/// A form removed a value that a booked receipt needs.
struct BookingLost: Error {
    let fields: [ReviewField]
}

extension ReviewDraft {
    /// A booked receipt without a day would be in no month, and one without a store would have no prices.
    ///
    /// - Parameter stored: what is booked; a receipt may have been booked without a store.
    func requireBooking(over stored: ReviewDraft) throws(BookingLost) {
        var fields: [ReviewField] = []
        if day == nil { fields.append(.day) }
        if store.isEmpty, !stored.store.isEmpty { fields.append(.store) }
        guard fields.isEmpty else { throw BookingLost(fields: fields) }
    }
}
