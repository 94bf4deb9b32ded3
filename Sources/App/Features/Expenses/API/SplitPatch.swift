import Domain
import JSON

/// The split of an expense in a request body: `{"method", "shares": [{"person_id", "weight"}], "paid_by",
/// "is_default"}`.
struct SplitPatch: Sendable {
    let method: SplitMethod
    let weights: [PersonID: Int64]
    let paidBy: PersonID
    /// Whether the split becomes the default split of the expense's category; false to remove the default split, nil to
    /// keep it.
    let isDefault: Bool?

    private static let mostShares = 50
    private static let mostWeight = Amount.limit

    /// Checks the split like the form: percentages are in hundredths of a percent and add up to 10000, exact amounts
    /// add up to the amount of the expense.
    ///
    /// - Throws: `APIProblem` 422, which lists all errors.
    init(_ object: JSONObject, _ split: SplitExpense) throws {
        var fields = JSONFields(object)
        let method: SplitMethod? = fields.choice("method")
        if method == nil, fields.errors.isEmpty { fields.refuse("method", "is required") }
        if method == .lines { fields.refuse("method", "lines can only be set on the page of the receipt") }
        var weights: [PersonID: Int64] = [:]
        for (index, value) in (fields.list("shares", most: Self.mostShares) ?? []).enumerated() {
            guard let object = value.object else {
                fields.refuse("shares/\(index)", "must be an object")
                continue
            }
            var share = JSONFields(object, path: "shares/\(index)/")
            let person = share.given("person_id") { $0.person("person_id", of: split.choices) }
            let weight = share.given("weight") { $0.integer("weight", 1...Self.mostWeight) }
            if person == nil, share.errors.isEmpty { share.refuse("person_id", "is required") }
            if method != .equal, weight == nil, share.errors.isEmpty { share.refuse("weight", "is required") }
            share.refuseUnknown()
            fields.add(share.errors)
            guard let person else { continue }
            if weights.updateValue(method == .equal ? 1 : weight ?? 1, forKey: person) != nil {
                fields.refuse("shares/\(index)/person_id", "occurs twice")
            }
        }
        let paidBy = fields.given("paid_by") { $0.person("paid_by", of: split.choices) } ?? split.entry.paidBy
        let isDefault = fields.flag("is_default")
        if isDefault != nil, split.entry.category == nil {
            fields.refuse("is_default", "needs an expense with a category")
        } else if isDefault == true, let method, !CategorySplit.methods.contains(method) {
            fields.refuse("is_default", "is only possible for equal, shares and percent")
        }
        if weights.isEmpty, fields.errors.isEmpty { fields.refuse("shares", "must have at least one share") }
        if paidBy == nil, fields.errors.isEmpty { fields.refuse("paid_by", "is required") }
        let sum = weights.values.reduce(Int128(0)) { $0 + Int128($1) }
        let amount = abs(split.entry.amount.minorUnits)
        if method == .percent, sum != 10_000, fields.errors.isEmpty { fields.refuse("shares", "must add up to 10000") }
        if method == .exact, sum != Int128(amount), fields.errors.isEmpty {
            fields.refuse("shares", "must add up to \(amount)")
        }
        try fields.finish()
        guard let method, let paidBy else { throw Refusal.badRequest }
        (self.method, self.weights, self.paidBy, self.isDefault) = (method, weights, paidBy, isDefault)
    }
}
