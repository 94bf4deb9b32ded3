import Domain

/// Expenses, settlements, budgets, rules, recurring expenses, savings goals, exchange rates and bank files.
extension DocumentSchema {
    private static let amount = DocumentField.Shape.integer(1...Amount.limit)
    private static let currency = DocumentField.Shape.text(minimum: 3, maximum: 3)
    private static let labels = DocumentField(
        "labels", .list(.text(minimum: 1, maximum: TextLimit.label), maximum: TypedExpense.maximumLabels),
        optional: true)
    private static let categoryField = DocumentField("category", .reference(.category), optional: true)
    private static let note = DocumentField("note", .text(minimum: 0, maximum: TextLimit.note), optional: true)
    private static let isPersonal = DocumentField("is_personal", .bool, optional: true)
    static let shares = DocumentField(
        "shares",
        .parts(
            key: "person", [DocumentField("person", .person, .creator), DocumentField("weight", amount)], maximum: 50),
        optional: true)
    private static let author = DocumentField("person", .person, .server, optional: true)
    /// The maximum number of limits in a budget, and of deposits in a savings goal.
    static let maximumParts = 5_000

    static let expense = DocumentSchema(
        type: .expense,
        summary:
            "An expense without a receipt, or the additions to a receipt: at most one document for each receipt.",
        fields: header + [
            DocumentField("receipt", .reference(.receipt), .creator, optional: true),
            DocumentField("kind", .choice(ExpenseKind.allCases.map(\.rawValue)), optional: true),
            DocumentField("what", .text(minimum: 0, maximum: TextLimit.purpose), optional: true),
            DocumentField("amount_minor", amount, optional: true, group: "amount"),
            DocumentField("currency", currency, optional: true, group: "amount"),
            DocumentField("stated_minor", amount, optional: true, group: "stated"),
            DocumentField("stated_currency", currency, optional: true, group: "stated"),
            DocumentField("day", .day, optional: true), DocumentField("paid_on", .day, optional: true),
            DocumentField("payee", .text(minimum: 0, maximum: TextLimit.payee), optional: true), categoryField, note,
            labels,
            DocumentField("paid_by", .person, optional: true), isPersonal,
            DocumentField("split", .choice(SplitMethod.allCases.map(\.rawValue)), optional: true),
            shares,
            DocumentField(
                "taken",
                .parts(
                    key: "line", [DocumentField("line", .identifier, .creator), DocumentField("person", .person)],
                    maximum: ReviewForm.maximumLines), optional: true),
            DocumentField("shared_by", .list(.person, maximum: 50), optional: true),
            DocumentField("discarded", .bool, optional: true), author,
            DocumentField("category_source", .text(minimum: 0, maximum: 40), .server, optional: true),
            DocumentField("source", .text(minimum: 0, maximum: 40), .server, optional: true), created,
        ])

    static let settlement = DocumentSchema(
        type: .settlement, summary: "A payment between two members.",
        fields: header + [
            DocumentField("from", .person, .creator), DocumentField("to", .person, .creator),
            DocumentField("amount_minor", amount, .creator), DocumentField("currency", currency, .creator),
            DocumentField("day", .day, .creator),
            DocumentField("note", .text(minimum: 0, maximum: TextLimit.note), .server, optional: true),
            DocumentField("discarded", .bool, optional: true), created,
        ])

    static let budget = DocumentSchema(
        type: .budget,
        summary: "The maximum amount to spend in each period. Each limit applies from its date on.",
        fields: header + [
            DocumentField("name", .text(minimum: 1, maximum: TextLimit.name)), categoryField,
            DocumentField("person", .person, optional: true),
            DocumentField("period", .choice(BudgetForm.periods), group: "period"),
            DocumentField("start_day", .integer(1...28), optional: true, group: "period"),
            DocumentField("rolls_over", .bool, optional: true), DocumentField("starts_on", .day, .creator),
            DocumentField(
                "limits",
                .parts(
                    key: "valid_from",
                    [DocumentField("valid_from", .day, .creator), DocumentField("limit_minor", amount)],
                    maximum: maximumParts)), created,
        ])

    static let expenseRule = DocumentSchema(
        type: .expenseRule,
        summary:
            "A rule for expenses: a text or amounts that match, and the category, labels or people to set. "
            + "The first rule that matches applies.",
        fields: header + [
            DocumentField("position", .integer(1...1_000_000), optional: true),
            DocumentField("contains", .text(minimum: 0, maximum: TextLimit.payee), optional: true),
            DocumentField("least_minor", .integer(0...Amount.limit), optional: true, group: "limits"),
            DocumentField("most_minor", .integer(0...Amount.limit), optional: true, group: "limits"), categoryField,
            labels,
            DocumentField("people", .list(.person, maximum: 50), optional: true), created,
        ])

    static let recurringExpense = DocumentSchema(
        type: .recurringExpense, summary: "A recurring expense. The document itself is not counted as an expense.",
        fields: header + [
            DocumentField("name", .text(minimum: 1, maximum: TextLimit.purpose)),
            DocumentField("payee_key", .text(minimum: 1, maximum: TextLimit.payee), .creator, optional: true),
            categoryField,
            DocumentField("interval", .choice(Recurrence.Interval.allCases.map(\.rawValue))),
            DocumentField("starts_on", .day), DocumentField("amount_minor", amount),
            DocumentField("tolerance_percent", .integer(0...50), optional: true), isPersonal,
            DocumentField("dismissed", .bool, .creator, optional: true), author, created,
        ])

    static let savingsGoal = DocumentSchema(
        type: .savingsGoal, summary: "An amount that a household wants to save by a date, with the deposits so far.",
        fields: header + [
            DocumentField("name", .text(minimum: 1, maximum: TextLimit.name)),
            DocumentField("target_minor", amount), DocumentField("until", .day),
            DocumentField("starts_on", .day, .server, optional: true),
            DocumentField(
                "deposits",
                .parts(
                    key: "id",
                    [
                        DocumentField("id", .identifier, .creator), DocumentField("day", .day),
                        DocumentField("amount_minor", .integer(-Amount.limit...Amount.limit)),
                        DocumentField("person", .person, .server, optional: true),
                    ], maximum: maximumParts), optional: true), created,
        ])

    static let exchangeRate = DocumentSchema(
        type: .exchangeRate,
        summary: "The value of one euro in another currency on a date: one document for each currency and date.",
        fields: header + [
            DocumentField("currency", currency, .creator), DocumentField("day", .day, .creator),
            DocumentField("per_euro_millionths", .integer(ExchangeRates.perEuroMillionths)),
            DocumentField("source", .choice(ExchangeRates.Source.allCases.map(\.rawValue)), .server, optional: true),
        ])

    static let bankFile = DocumentSchema(
        type: .bankFile,
        summary: "An imported file of a bank, with its account lines. Only the person who imported it receives it.",
        fields: header + [
            DocumentField("name", .text(minimum: 0, maximum: 200)),
            DocumentField("format", .text(minimum: 1, maximum: 40)),
            DocumentField("is_personal", .bool),
            DocumentField("bookings", .parts(key: "id", booking, maximum: BankFileLimits.maximumBookings)), author,
            DocumentField("confirmed_at", .instant, .server, optional: true), created,
        ], isWritable: false)

    private static let booking: [DocumentField] = [
        DocumentField("id", .identifier), DocumentField("day", .day),
        DocumentField("amount_minor", .integer(-Amount.limit...Amount.limit)), DocumentField("currency", currency),
        DocumentField("payee", .text(minimum: 0, maximum: 1_000)),
        DocumentField("purpose", .text(minimum: 0, maximum: 1_000)),
        DocumentField("expense", .reference(.expense), optional: true),
        DocumentField("receipt", .reference(.receipt), optional: true), DocumentField("is_made", .bool),
    ]
}
