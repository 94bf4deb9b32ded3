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
        /// The reader found no amount, and nobody has typed one since.
        var isUnread = false
        var kind: LineKind = .item
        var vatClass = ""

        /// A field by its name in forms, doubts and conflicts, as canonical text.
        subscript(field: Field) -> String {
            switch field {
            case .name: name
            case .quantity: "\(quantity) \(unit.rawValue)"
            case .unitPrice: unitPrice.map(String.init) ?? ""
            case .total: isUnread ? "" : String(total)
            case .kind: kind.rawValue
            case .vatClass: vatClass
            }
        }

        /// Takes one field over from another version of the line.
        mutating func take(_ field: Field, from other: Line) {
            switch field {
            case .name: name = other.name
            case .quantity: (quantity, unit) = (other.quantity, other.unit)
            case .unitPrice: unitPrice = other.unitPrice
            case .total: (total, isUnread) = (other.total, other.isUnread)
            case .kind: kind = other.kind
            case .vatClass: vatClass = other.vatClass
            }
        }
    }

    enum Field: String, Sendable, CaseIterable {
        case name
        case quantity
        case unitPrice = "unit_price"
        case total
        case kind
        case vatClass = "vat_class"
    }

    enum HeadField: String, Sendable, CaseIterable {
        case store, day, time, total, currency
        case hiddenUntil = "hidden-until"
    }

    subscript(head field: HeadField) -> String {
        switch field {
        case .store: store
        case .day: day?.iso ?? ""
        case .time: time?.iso ?? ""
        case .total: total.map(String.init) ?? ""
        case .currency: currency.rawValue
        case .hiddenUntil: hiddenUntil?.iso ?? ""
        }
    }

    mutating func take(head field: HeadField, from other: ReviewDraft) {
        switch field {
        case .store: store = other.store
        case .day: day = other.day
        case .time: time = other.time
        case .total: total = other.total
        case .currency: currency = other.currency
        case .hiddenUntil: hiddenUntil = other.hiddenUntil
        }
    }

    /// The lines by their keys, for whoever looks up many.
    func linesByKey() -> [String: Line] {
        Dictionary(lines.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// For each discount how many of the items in `keys` stand above it: another number says that it was moved.
    func itemsAboveDiscounts(among keys: Set<String>) -> [String: Int] {
        var above: [String: Int] = [:]
        var count = 0
        for line in lines {
            if line.kind == .item, keys.contains(line.key) { count += 1 }
            if line.kind == .discount { above[line.key] = count }
        }
        return above
    }

    /// Gives each new line the identifier that it gets whenever this very form is sent: a second sending, by a second
    /// tap or after going back, finds the lines of the first instead of adding them again.
    ///
    /// - Parameter form: what no other form has.
    mutating func identifyNewLines(of receipt: ReceiptID, form: String) {
        for index in lines.indices where lines[index].key.hasPrefix("new") {
            let digest = sha256("\(receipt) \(form) \(lines[index].key)".utf8)
            guard let id = ReceiptLineID(derivedFrom: digest) else { continue }
            (lines[index].key, lines[index].isNew) = (id.description, true)
        }
    }

    /// By how much the lines are more than the total, in minor units, kept to what an amount can be; nil without a total.
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

/// What a booked receipt is booked by was taken out of it.
struct BookingLost: Error {
    /// By their names in the form.
    let fields: [String]
}

extension ReviewDraft {
    /// Without its day a booked receipt is in no month, without its store it has no prices: neither is cleared, they are
    /// only changed.
    ///
    /// - Parameter stored: what is booked; a receipt may have been booked without a store.
    func requireBooking(over stored: ReviewDraft) throws(BookingLost) {
        var fields: [String] = []
        if day == nil { fields.append("day") }
        if store.isEmpty, !stored.store.isEmpty { fields.append("store") }
        guard fields.isEmpty else { throw BookingLost(fields: fields) }
    }
}
