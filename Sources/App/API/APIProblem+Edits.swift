import HTTP

extension APIProblem {
    /// Returns the problem for an error of an edit; nil for other errors.
    init?(edit error: any Error) {
        switch error {
        case is Conflict:
            self.init(.conflict, .conflict, "Another request has changed the resource. Load it and try again.")
        case is AlreadyWritten:
            self.init(.conflict, .conflict, "The request was already executed, but its answer was lost.")
        case is AlreadyDeleted: self.init(.notFound, .notFound)
        case let lost as MissingRequiredValues:
            let names: [ReviewField: String] = [.day: "purchase_day", .total: "total_minor"]
            self = .invalid(lost.fields.map { Field(name: names[$0] ?? $0.rawValue, detail: "is required") })
        case is AmountTooLarge: self = .invalid("amount_minor", "is too large when it is converted or added to others")
        case is NameTaken: self = .invalid("name", "is taken")
        case RemovalError.inUse: self.init(.conflict, .conflict, "Other documents still refer to the resource.")
        case RemovalError.isDepositCategory:
            self.init(.conflict, .conflict, "Merge the category for deposits only into a category of your own.")
        case is PausedWebhook: self.init(.conflict, .conflict, "An owner must confirm the webhook first.")
        case let full as TooMany:
            self.init(.conflict, .conflict, "There are \(full.limit) \(full.kind) already.")
        case is BankConfirmation.StalePreview:
            self.init(.conflict, .conflict, "A matched expense has changed since the preview. Load the file again.")
        case MembershipError.lastOwner:
            self.init(.conflict, .conflict, "The member is the only owner. Make another member an owner first.")
        default: return nil
        }
    }
}
