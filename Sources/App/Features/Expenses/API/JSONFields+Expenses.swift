import Domain
import JSON

/// Reads fields of JSON objects that expenses, budgets and rules have in common.
extension JSONFields {
    /// Reads a field that may be missing but must not be null. Returns nil if it is missing or invalid.
    mutating func given<Value>(_ name: String, _ read: (inout JSONFields) -> Value?) -> Value? {
        guard has(name) else { return nil }
        let count = errors.count
        let value = read(&self)
        if value == nil, errors.count == count { refuse(name, "must not be null") }
        return value
    }

    /// Reads an amount in minor units, at least 1.
    mutating func minorUnits(_ name: String) -> Int64? { integer(name, 1...Amount.limit) }

    /// Reads an ISO 4217 code.
    mutating func currency(_ name: String) -> CurrencyCode? {
        guard let text = text(name, 3...3) else { return nil }
        guard let code = CurrencyCode(text), code.code == text else {
            refuse(name, "must be an ISO 4217 code such as EUR")
            return nil
        }
        return code
    }

    /// Reads labels, without duplicates.
    mutating func labels(_ name: String) -> [String]? {
        guard let list = list(name, maximum: TypedExpense.maximumLabels) else { return nil }
        let labels = list.compactMap(\.string)
        guard labels.count == list.count,
            labels.allSatisfy({
                !$0.contains(",") && !$0.utf8.contains(0) && (1...TextLimit.label).contains($0.trimmed.length)
            })
        else {
            refuse(name, "must be texts of 1 to \(TextLimit.label) characters without commas")
            return nil
        }
        let result = TypedExpense.labels(labels.joined(separator: ","))
        guard TypedExpense.allowsLabels(result) else {
            refuse(name, "must have at most \(TextLimit.labels) characters together")
            return nil
        }
        return result
    }

    /// Reads a category of the household. Returns nil for `null`, and for an invalid value, which adds an error.
    mutating func category(_ name: String, of categories: Categories) -> CategoryID? {
        guard let id: CategoryID = identifier(name) else { return nil }
        guard categories.contains(id) else {
            refuse(name, "is not a category of this household")
            return nil
        }
        return id
    }

    /// Reads a member of the household. Returns nil for `null`, and for an invalid value, which adds an error.
    mutating func person(_ name: String, of choices: ExpenseChoices) -> PersonID? {
        guard let id: PersonID = identifier(name) else { return nil }
        guard choices.members.contains(where: { $0.id == id }) else {
            refuse(name, "is not a member of this household")
            return nil
        }
        return id
    }
}
