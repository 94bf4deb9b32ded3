import Domain
import HTTP
import Templates

/// The submitted form that splits an expense between members.
struct SplitForm: Sendable {
    let method: SplitMethod
    /// Whether the split becomes the default split of the expense's category.
    let isDefault: Bool
    /// The chosen payer; nil if the form has none.
    let paidBy: PersonID?
    /// The typed values of the people who take part in the split.
    var typed: [PersonID: String] = [:]
    /// The person for whom a line was bought. Lines that were bought for all participants are missing.
    var lines: [ReceiptLineID: PersonID] = [:]

    /// - Throws: `Refusal.badRequest` for values that the form does not offer.
    init(_ form: FormFields, members: [PersonID], lines: [SplitLine]) throws {
        guard let method = SplitMethod(rawValue: form.trimmed("method") ?? "equal") else { throw Refusal.badRequest }
        self.method = method
        isDefault = form["default"] != nil
        paidBy = form.trimmed("paid-by").flatMap { PersonID($0) }
        for person in members where form["with-\(person)"] != nil {
            typed[person] = form.trimmed("value-\(person)") ?? ""
        }
        for line in lines {
            guard let text = form.trimmed("line-\(line.id)"), !text.isEmpty else { continue }
            guard let person = PersonID(text), members.contains(person) else { throw Refusal.badRequest }
            self.lines[line.id] = person
        }
    }

    /// Returns the weights of the participants, or an error message.
    ///
    /// - Parameters:
    ///   - amount: the amount to split.
    ///   - receiptLines: all lines of the receipt, for a split by line.
    func weights(
        of amount: Amount, lines receiptLines: [SplitLine], _ words: LanguageTexts, _ language: Language
    ) -> (weights: [PersonID: Int64]?, problem: String?) {
        let people = typed.keys.sorted()
        guard !isDefault || CategorySplit.methods.contains(method) else {
            return (nil, words["server.split.default-method"])
        }
        guard !people.isEmpty || method == .lines && !lines.isEmpty else { return (nil, words["server.split.nobody"]) }
        switch method {
        case .equal: return (Dictionary(uniqueKeysWithValues: people.map { ($0, 1) }), nil)
        case .shares: return read(people, decimals: 2, words) { _ in nil }
        case .percent:
            return read(people, decimals: 2, words) { sum in
                sum == 10_000
                    ? nil
                    : words[
                        "server.split.percent",
                        ["sum": .text(DecimalText.format(sum, decimals: 2, minimum: 0, in: language))]]
            }
        case .exact:
            return read(people, decimals: amount.currency.digits, words) { sum in
                sum == abs(amount.minorUnits)
                    ? nil
                    : words[
                        "server.split.exact",
                        ["sum": .text(Amount(minorUnits: sum, currency: amount.currency).formatted(language))]]
            }
        case .lines:
            let weights = byLine.weights(receiptLines)
            return weights.isEmpty ? (nil, words["server.split.nobody"]) : (weights, nil)
        }
    }

    private func read(
        _ people: [PersonID], decimals: Int, _ words: LanguageTexts, _ check: (Int64) -> String?
    ) -> (weights: [PersonID: Int64]?, problem: String?) {
        var weights: [PersonID: Int64] = [:]
        for person in people {
            guard let value = try? DecimalText.parse(typed[person] ?? "", decimals: decimals, limit: 10_000_000_000),
                value >= 0
            else { return (nil, words["server.split.number"]) }
            if value > 0 { weights[person] = value }
        }
        guard !weights.isEmpty else { return (nil, words["server.split.nobody"]) }
        if let problem = check(weights.values.reduce(0, +)) { return (nil, problem) }
        return (weights, nil)
    }

    /// The people of each line; empty for other methods.
    var byLine: LineSplit { method == .lines ? LineSplit(taken: lines, sharedBy: typed.keys.sorted()) : LineSplit() }
}

/// A line of a receipt that is split.
struct SplitLine: Sendable {
    let id: ReceiptLineID
    let name: String
    let kind: LineKind
    /// In minor units.
    let amount: Int64
    /// For a discount on an item, the line of the item; otherwise nil.
    let reduced: ReceiptLineID?
}
