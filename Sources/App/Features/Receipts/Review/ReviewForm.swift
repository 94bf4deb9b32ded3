import Domain
import HTTP
import Templates

/// The review form as it was sent: raw texts, so that nothing typed is lost, and what they mean.
struct ReviewForm: Sendable {
    /// What the page shows again, field by field.
    var texts: [String: String] = [:]
    /// Keys of the lines in their order.
    private(set) var keys: [String] = []
    private var knownKeys: Set<String> = []
    var draft = ReviewDraft()
    let revision: Int64
    let action: String
    /// What no other form has, the pages of one person included.
    let identity: String
    /// Nothing where the form names none of ours: the stored one stays.
    let currency: Currency?
    /// Keys of lines that take something off, typed without a sign.
    private(set) var unsigned: Set<String> = []
    /// Fields that cannot be read, by the name in the form.
    var errors = FieldErrors()

    /// What the columns hold: thousandths of a unit, thousandths of a minor unit.
    private static let quantities: ClosedRange<Int64> = -100_000_000...100_000_000
    private static let unitPrices: ClosedRange<Int64> = -100_000_000_000...100_000_000_000

    /// More lines than any receipt has; longer ones are cut by the reader too.
    static let maximumLines = 2000

    private let language: Language
    private let words: LanguageTexts

    /// - Throws: `Refusal.badRequest` for what our own page never sends.
    init(_ form: FormFields, in language: Language, _ words: LanguageTexts) throws {
        (self.language, self.words) = (language, words)
        revision = try form.revision()
        action = form["action"] ?? ""
        identity = form["csrf"] ?? ""
        currency = form["currency"].flatMap(Currency.init(rawValue:))
        for field in form.fields {
            if field.name == "line" {
                guard keys.count < Self.maximumLines, Self.isKey(field.value), knownKeys.insert(field.value).inserted
                else { throw Refusal.badRequest }
                keys.append(field.value)
            } else {
                texts[field.name] = field.value.trimmed
            }
        }
        applyAction()
        readHead()
        draft.lines = keys.compactMap { readLine($0) }
    }

    private static func isKey(_ key: String) -> Bool {
        ReceiptLineID(key) != nil
            || (key.hasPrefix("new") && key.utf8.count <= 24
                && key.utf8.allSatisfy { ($0 >= 97 && $0 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 45 })
    }

    // MARK: Buttons that change lines, for browsers without scripts

    private mutating func applyAction() {
        let parts = action.split(separator: ":", maxSplits: 1)
        guard let verb = parts.first else { return }
        if verb == "add-line" {
            keys.append(newKey())
            return
        }
        guard parts.count == 2, let index = keys.firstIndex(of: String(parts[1])) else { return }
        switch verb {
        case "delete-line": keys.remove(at: index)
        case "move-line-up" where index > 0: keys.swapAt(index, index - 1)
        case "move-line-down" where index + 1 < keys.count: keys.swapAt(index, index + 1)
        case "split-line":
            let key = newKey()
            let original = keys[index]
            for field in ["name", "unit", "kind", "vat"] { texts["\(field)-\(key)"] = texts["\(field)-\(original)"] }
            keys.insert(key, at: index + 1)
        default: break
        }
    }

    private mutating func newKey() -> String {
        var number = 1
        while !knownKeys.insert("new\(number)").inserted { number += 1 }
        return "new\(number)"
    }

    // MARK: Meaning

    private mutating func readHead() {
        draft.store = text("store", TextLimit.storeName)
        draft.day = date("day")
        draft.hiddenUntil = date("hidden-until")
        if let text = texts["time"], !text.isEmpty {
            draft.time = LocalTime(parsing: text)
            if draft.time == nil { errors["time"] = words["server.form.time"] }
        }
        if let text = texts["total"], !text.isEmpty {
            do {
                draft.total = try Money(parsing: text, currency: currency ?? .eur).minorUnits
            } catch {
                errors["total"] = sentence(error, text)
            }
        }
    }

    private mutating func text(_ name: String, _ limit: Int) -> String {
        let text = texts[name] ?? ""
        if text.length > limit {
            errors[name] = words["server.form.too-long", ["count": .number(String(limit))]]
        }
        return text
    }

    private mutating func date(_ name: String) -> LocalDate? {
        guard let text = texts[name], !text.isEmpty else { return nil }
        guard let day = LocalDate(parsing: text) else {
            errors[name] = words["server.form.date"]
            return nil
        }
        if name == "day", day < .firstPurchaseDay || day > WallClock.today() {
            errors[name] = words["server.form.day-range"]
        }
        return day
    }

    /// Nil for a new line that was left empty.
    private mutating func readLine(_ key: String) -> ReviewDraft.Line? {
        func text(_ field: String) -> String { texts["\(field)-\(key)"] ?? "" }
        if key.hasPrefix("new"), text("name").isEmpty, text("total").isEmpty { return nil }
        var line = ReviewDraft.Line(key: key)
        line.name = self.text("name-\(key)", TextLimit.printedName)
        if line.name.isEmpty { errors["name-\(key)"] = words["server.form.required"] }
        line.kind = Self.kinds[text("kind")] ?? .item
        line.vatClass = self.text("vat-\(key)", TextLimit.vatClass)
        let unit = Self.units[text("unit")] ?? .piece
        let quantity = text("quantity").isEmpty ? "1" : text("quantity")
        do {
            (line.quantity, line.unit) = try Quantity(parsing: quantity, unit: unit, in: language).stored
            if !Self.quantities.contains(line.quantity) {
                errors["quantity-\(key)"] = words["server.form.amount-range"]
            }
        } catch {
            errors["quantity-\(key)"] = sentence(error, quantity)
        }
        readAmounts(&line, key, unit)
        if line.kind.isTakenOff, line.total > 0, !text("total").contains("+") { unsigned.insert(key) }
        return line
    }

    private mutating func readAmounts(_ line: inout ReviewDraft.Line, _ key: String, _ unit: MeasureUnit) {
        let price = texts["unit-price-\(key)"] ?? ""
        if !price.isEmpty {
            do {
                let parsed = try UnitPrice(parsing: price, currency: currency ?? .eur, per: unit)
                let factor = StoredUnit(unit) == .piece ? 1 : unit.perBase
                let (product, overflow) = parsed.thousandthsOfMinor.multipliedReportingOverflow(by: factor)
                if overflow || !Self.unitPrices.contains(product) {
                    errors["unit-price-\(key)"] = words["server.form.amount-range"]
                } else {
                    line.unitPrice = product
                }
            } catch {
                errors["unit-price-\(key)"] = sentence(error, price)
            }
        }
        let total = texts["total-\(key)"] ?? ""
        do {
            line.total = try Money(parsing: total, currency: currency ?? .eur).minorUnits
        } catch {
            if total.isEmpty, let product = line.product {
                line.total = product
            } else if total.isEmpty, texts["unread-\(key)"] != nil {
                line.isUnread = true
            } else {
                errors["total-\(key)"] = sentence(error, total)
            }
        }
    }

    /// What is wrong with a figure.
    private func sentence(_ error: NumberError, _ text: String) -> String {
        switch error {
        case .empty: words["server.form.required"]
        case .ambiguous: words["server.form.ambiguous", ["value": .text(text)]]
        case .outOfRange: words["server.form.amount-range"]
        default: words["server.form.number"]
        }
    }

    /// The draft, with the stored currency where the form names none, and with a minus where a discount, a coupon or a
    /// returned deposit was typed without one: people write what is taken off as it is printed on a voucher. What stands
    /// there already is the till's own, as when it takes one back.
    func completed(over stored: ReviewDraft) -> ReviewDraft {
        var draft = draft
        draft.currency = currency ?? stored.currency
        guard !unsigned.isEmpty else { return draft }
        let before = stored.linesByKey()
        for index in draft.lines.indices where unsigned.contains(draft.lines[index].key) {
            let old = before[draft.lines[index].key]
            guard old?.kind != draft.lines[index].kind || old?.total != draft.lines[index].total else { continue }
            draft.lines[index].total.negate()
        }
        return draft
    }

    private static let kinds: [String: LineKind] = [
        "item": .item, "deposit": .deposit, "deposit-return": .depositReturn, "discount": .discount,
        "coupon": .coupon, "rounding": .rounding,
    ]

    private static let units: [String: MeasureUnit] = [
        "piece": .piece, "kg": .kilogram, "g": .gram, "l": .litre, "ml": .millilitre, "m": .metre,
    ]
}
