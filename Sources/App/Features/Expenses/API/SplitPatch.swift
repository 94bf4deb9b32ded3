import Domain
import JSON

/// The split of an expense in a request body: `{"method", "shares": [{"person_id", "weight"}], "paid_by",
/// "is_default"}`. A receipt can also be split by line: `{"method": "lines", "taken": [{"line_id", "person_id"}],
/// "shared_by": [person_id], "paid_by"}`.
struct SplitPatch: Sendable {
    let method: SplitMethod
    let weights: [PersonID: Int64]
    /// The people of each line; empty for other methods.
    let byLine: LineSplit
    let paidBy: PersonID
    /// Whether the split becomes the default split of the expense's category; false to remove the default split, nil to
    /// keep it.
    let isDefault: Bool?

    private static let maximumShares = 50
    private static let maximumWeight = Amount.limit

    /// Checks the split like the form. Percentages are in hundredths of a percent and add up to 10000. Exact amounts
    /// add up to the amount of the expense.
    ///
    /// - Throws: `APIProblem` 422, which lists all errors.
    init(_ object: JSONObject, _ split: SplitExpense) throws {
        var fields = JSONFields(object)
        let method: SplitMethod? = fields.choice("method")
        if method == nil, fields.errors.isEmpty { fields.refuse("method", "is required") }
        var byLine = LineSplit()
        var weights: [PersonID: Int64] = [:]
        if method == .lines {
            byLine = Self.byLine(&fields, split)
            if fields.errors.isEmpty {
                weights = byLine.weights(split.lines)
                if weights.isEmpty { fields.refuse("shared_by", "must name who pays the lines that nobody took") }
            }
        } else {
            weights = Self.weights(&fields, method, split)
        }
        let paidBy = fields.given("paid_by") { $0.person("paid_by", of: split.choices) } ?? split.entry.paidBy
        let isDefault = fields.flag("is_default")
        if isDefault != nil, split.entry.ownCategory == nil {
            fields.refuse("is_default", "needs an expense with a category")
        } else if isDefault == true, let method, !CategorySplit.methods.contains(method) {
            fields.refuse("is_default", "is only possible for equal, shares and percent")
        }
        if paidBy == nil, fields.errors.isEmpty { fields.refuse("paid_by", "is required") }
        try fields.finish()
        guard let method, let paidBy else { throw Refusal.badRequest }
        (self.method, self.weights, self.byLine) = (method, weights, byLine)
        (self.paidBy, self.isDefault) = (paidBy, isDefault)
    }

    /// Reads the weights of a split that does not depend on lines.
    private static func weights(
        _ fields: inout JSONFields, _ method: SplitMethod?, _ split: SplitExpense
    ) -> [PersonID: Int64] {
        var weights: [PersonID: Int64] = [:]
        for (index, value) in (fields.list("shares", maximum: maximumShares) ?? []).enumerated() {
            guard let object = value.object else {
                fields.refuse("shares/\(index)", "must be an object")
                continue
            }
            var share = JSONFields(object, path: "shares/\(index)/")
            let person = share.given("person_id") { $0.person("person_id", of: split.choices) }
            let weight = share.given("weight") { $0.integer("weight", 1...maximumWeight) }
            if person == nil, share.errors.isEmpty { share.refuse("person_id", "is required") }
            if method != .equal, weight == nil, share.errors.isEmpty { share.refuse("weight", "is required") }
            share.refuseUnknown()
            fields.add(share.errors)
            guard let person else { continue }
            if weights.updateValue(method == .equal ? 1 : weight ?? 1, forKey: person) != nil {
                fields.refuse("shares/\(index)/person_id", "occurs twice")
            }
        }
        for name in ["taken", "shared_by"] where fields.has(name) {
            fields.refuse(name, "is only allowed for the method lines")
        }
        if weights.isEmpty, fields.errors.isEmpty { fields.refuse("shares", "must have at least one share") }
        let sum = weights.values.reduce(Int128(0)) { $0 + Int128($1) }
        let amount = abs(split.entry.amount.minorUnits)
        if method == .percent, sum != 10_000, fields.errors.isEmpty { fields.refuse("shares", "must add up to 10000") }
        if method == .exact, sum != Int128(amount), fields.errors.isEmpty {
            fields.refuse("shares", "must add up to \(amount)")
        }
        return weights
    }

    /// Reads who took which line of the receipt, and who shares the other lines.
    private static func byLine(_ fields: inout JSONFields, _ split: SplitExpense) -> LineSplit {
        guard split.entry.isReceipt else {
            fields.refuse("method", "must not be lines, because the expense has no receipt")
            return LineSplit()
        }
        if fields.has("shares") { fields.refuse("shares", "must be missing, because the lines determine the shares") }
        var result = LineSplit()
        let lines = Set(split.lines.map(\.id))
        for (index, value) in (fields.list("taken", maximum: ReviewForm.maximumLines) ?? []).enumerated() {
            guard let object = value.object else {
                fields.refuse("taken/\(index)", "must be an object")
                continue
            }
            var entry = JSONFields(object, path: "taken/\(index)/")
            let line: ReceiptLineID? = entry.given("line_id") { $0.identifier("line_id") }
            let person = entry.given("person_id") { $0.person("person_id", of: split.choices) }
            if line == nil, entry.errors.isEmpty { entry.refuse("line_id", "is required") }
            if person == nil, entry.errors.isEmpty { entry.refuse("person_id", "is required") }
            if let line, !lines.contains(line) { entry.refuse("line_id", "is not a line of this receipt") }
            if let line, result.taken[line] != nil { entry.refuse("line_id", "occurs twice") }
            entry.refuseUnknown()
            fields.add(entry.errors)
            if let line, let person { result.taken[line] = person }
        }
        let sharedBy: [PersonID] = fields.identifiers("shared_by", maximum: maximumShares) ?? []
        if !Set(sharedBy).isSubset(of: split.choices.members.map(\.id)) {
            fields.refuse("shared_by", "must name members of this household")
        }
        result.sharedBy = sharedBy.sorted()
        return result
    }
}
