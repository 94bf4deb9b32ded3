import Domain
import HTTP
import Templates

/// The review form as sent: the raw texts, which the page shows again, and their parsed values.
struct ReviewForm: Sendable {
    /// Raw texts by field name. The page shows them again.
    var texts: [String: String] = [:]
    /// Keys of the lines in their order.
    private(set) var keys: [String] = []
    private var knownKeys: Set<String> = []
    /// The lines that the button removed, with their index in the form.
    private(set) var removed: [(index: Int, key: String)] = []
    var draft = ReviewDraft()
    let revision: Int64
    /// The value of the button that sent the form.
    let action: String
    /// Identifies the form, so that sending it twice adds new lines once: the CSRF token of its page, or the
    /// idempotency key of the API.
    let identity: String
    /// Nil when the form has no known currency; the stored currency is then kept.
    let currency: Currency?
    /// Fields that the person compared with the picture and ticked off as correct.
    let checked: CheckedFields
    /// The points that an earlier page has asked the person to confirm: keys of lines with implausible amounts, and the
    /// identifier of another receipt of the same purchase.
    let asked: Set<String>
    /// Keys of lines that reduce the total, such as discounts, whose amount was typed without a minus sign.
    private(set) var unsigned: Set<String> = []
    /// Errors by the field's name in the form.
    var errors = FieldErrors()

    /// The range of the column `quantity_thousandths`, in thousandths of the unit.
    static let quantities: ClosedRange<Int64> = -100_000_000...100_000_000
    /// The range of the column `unit_price_thousandths`, in thousandths of a minor unit.
    static let unitPrices: ClosedRange<Int64> = -100_000_000_000...100_000_000_000

    /// The maximum number of lines of a receipt. The reader has the same limit.
    static let maximumLines = 2000
    /// The maximum number of fields of a form with `maximumLines` lines.
    static let maximumFields = 20_000

    /// Keys of lines without a category field in the form. The stored categories of these lines are kept.
    private(set) var uncategorized: Set<String> = []
    let language: Language
    let words: LanguageTexts
    let categories: Categories?

    /// - Throws: `Refusal.badRequest` for input that the page itself never sends.
    init(
        _ form: FormFields, in language: Language, _ words: LanguageTexts, _ categories: Categories? = nil
    ) throws {
        (self.language, self.words, self.categories) = (language, words, categories)
        revision = try form.revision()
        action = form["action"] ?? ""
        identity = form["csrf"] ?? ""
        currency = form["currency"].flatMap(Currency.init(rawValue:))
        checked = CheckedFields(form.values("right"))
        asked = Set(form.values("asked"))
        for field in form.fields {
            if field.name == "line" {
                guard keys.count < Self.maximumLines, Self.isKey(field.value), knownKeys.insert(field.value).inserted
                else { throw Refusal.badRequest }
                keys.append(field.value)
            } else {
                texts[field.name] = Self.singleLine(field.value)
            }
        }
        applyAction(removed: form.values("removed"))
        readHead()
        draft.lines = keys.compactMap { readLine($0) }
    }

    /// Creates a form from values that are already parsed, for the API. Amounts include their sign.
    init(
        _ draft: ReviewDraft, revision: Int64, identity: String, _ language: Language, _ words: LanguageTexts
    ) {
        (self.language, self.words, categories) = (language, words, nil)
        (self.draft, self.revision, self.identity) = (draft, revision, identity)
        action = ""
        currency = draft.currency
        checked = CheckedFields()
        asked = []
    }

    /// Whether the text may be the key of a line: an identifier, or `new` followed by lower-case letters, digits and
    /// hyphens, at most 24 characters in all.
    private static func isKey(_ key: String) -> Bool {
        ReceiptLineID(key) != nil
            || (key.hasPrefix("new") && key.utf8.count <= 24
                && key.utf8.allSatisfy { ($0 >= 97 && $0 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 45 })
    }

    /// Returns the text with its line breaks replaced by spaces. The field for a name has several lines, so a person
    /// can type or paste line breaks.
    private static func singleLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmed }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: Buttons that change lines, for browsers without scripts

    /// Whether the button only changes lines. The form is then shown again and nothing is stored.
    var onlyChangesLines: Bool {
        ["add-line", "remove-unread", "restore-lines"].contains(action) || action.contains(":")
    }

    /// - Parameter restorable: lines that the previous button removed, in the form of `RemovedLines.places`.
    private mutating func applyAction(removed restorable: [String]) {
        let parts = action.split(separator: ":", maxSplits: 1).map(String.init)
        guard let verb = parts.first else { return }
        if verb == "add-line" {
            keys.append(newKey())
            return
        }
        if verb == "remove-unread" {
            removed = keys.enumerated().filter { isUnread($0.element) }.map { (index: $0.offset, key: $0.element) }
            keys = keys.filter { !isUnread($0) }
            return
        }
        if verb == "restore-lines" {
            for entry in restorable {
                let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2, let index = Int(parts[0]), Self.isKey(parts[1]),
                    keys.count < Self.maximumLines, knownKeys.insert(parts[1]).inserted
                else { continue }
                keys.insert(parts[1], at: max(0, min(index, keys.count)))
            }
            return
        }
        guard parts.count == 2 else { return }
        if verb == "take", let proposal = texts["proposal-\(parts[1])"] {
            // `total.2` is the third candidate of the total.
            texts[parts[1].split(separator: ".").first.map(String.init) ?? parts[1]] = proposal
            return
        }
        guard let index = keys.firstIndex(of: parts[1]) else { return }
        switch verb {
        case "delete-line":
            removed = [(index, keys[index])]
            keys.remove(at: index)
        case "insert-line": keys.insert(newKey(), at: index + 1)
        case "move-line-up" where index > 0: keys.swapAt(index, index - 1)
        case "move-line-down" where index + 1 < keys.count: keys.swapAt(index, index + 1)
        case "split-line":
            let key = newKey()
            let original = keys[index]
            for field in ["name", "unit", "kind", "vat_class", "category"] {
                texts["\(field)-\(key)"] = texts["\(field)-\(original)"]
            }
            keys.insert(key, at: index + 1)
        default: break
        }
    }

    /// Whether the line's amount was neither read nor typed in.
    private func isUnread(_ key: String) -> Bool {
        texts["unread-\(key)"] != nil && (texts[ReviewField.total.name(of: key)] ?? "").isEmpty
    }

    /// A key for a line that a button adds.
    private mutating func newKey() -> String {
        var number = 1
        while !knownKeys.insert("new\(number)").inserted { number += 1 }
        return "new\(number)"
    }

    // MARK: Parsing

    private mutating func readHead() {
        draft.store = text("store", TextLimit.storeName)
        draft.day = date("day")
        draft.hiddenUntil = date("hidden_until")
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
        if let sentence = TextLimit.excess(text, limit, words) { errors[name] = sentence }
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

    /// Returns nil for a new line that was left empty.
    private mutating func readLine(_ key: String) -> ReviewDraft.Line? {
        func text(_ field: String) -> String { texts["\(field)-\(key)"] ?? "" }
        if key.hasPrefix("new"), text("name").isEmpty, text("total").isEmpty { return nil }
        var line = ReviewDraft.Line(key: key)
        line.name = self.text("name-\(key)", TextLimit.printedName)
        if line.name.isEmpty { errors["name-\(key)"] = words["server.form.required"] }
        line.kind = LineKind(rawValue: text("kind")) ?? .item
        line.vatClass = self.text("vat_class-\(key)", TextLimit.vatClass)
        readCategory(&line)
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
        if line.kind.isReduction, line.total > 0, !text("total").contains("+") { unsigned.insert(key) }
        return line
    }

    /// Reads the name of a category. If the field is empty, the line gets the category of its product.
    private mutating func readCategory(_ line: inout ReviewDraft.Line) {
        let field = ReviewField.category.name(of: line.key)
        guard let text = texts[field] else {
            uncategorized.insert(line.key)
            return
        }
        guard !text.isEmpty else { return }
        line.category = categories?.id(named: text, language)
        if line.category == nil { errors[field] = words["server.form.category"] }
    }

    private mutating func readAmounts(_ line: inout ReviewDraft.Line, _ key: String, _ unit: MeasureUnit) {
        let price = texts["unit_price-\(key)"] ?? ""
        if !price.isEmpty {
            do {
                let parsed = try UnitPrice(parsing: price, currency: currency ?? .eur, per: unit)
                let factor = StoredUnit(unit) == .piece ? 1 : unit.perBase
                let (product, overflow) = parsed.thousandthsOfMinor.multipliedReportingOverflow(by: factor)
                if overflow || !Self.unitPrices.contains(product) {
                    errors["unit_price-\(key)"] = words["server.form.amount-range"]
                } else {
                    line.unitPrice = product
                }
            } catch {
                errors["unit_price-\(key)"] = sentence(error, price)
            }
        }
        let total = texts["total-\(key)"] ?? ""
        do {
            line.total = try Money(parsing: total, currency: currency ?? .eur).minorUnits
        } catch {
            if total.isEmpty, let computed = line.computedTotal {
                line.total = computed
            } else if total.isEmpty, texts["unread-\(key)"] != nil {
                line.isUnread = true
            } else {
                errors["total-\(key)"] = sentence(error, total)
            }
        }
    }

    /// The error message for a figure.
    private func sentence(_ error: NumberError, _ text: String) -> String {
        switch error {
        case .empty: words["server.form.required"]
        case .ambiguous: words["server.form.ambiguous", ["value": .text(text)]]
        case .outOfRange: words["server.form.amount-range"]
        default: words["server.form.number"]
        }
    }

    private static let units: [String: MeasureUnit] = [
        "piece": .piece, "kg": .kilogram, "g": .gram, "l": .litre, "ml": .millilitre, "m": .metre,
    ]
}
