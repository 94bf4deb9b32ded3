import DocumentParsing
import Domain
import Postgres
import Templates

/// Additional parts of the review page for documents other than supermarket receipts: candidates for each value, a
/// suggested category with the reason, the day of payment.
struct ReviewPaper: Sendable {
    private let stored: StoredPaper
    private let categories: Categories
    private let found: ExpenseSuggestions.Suggestion?
    private let currency: Currency
    private let language: Language
    private let words: LanguageTexts

    /// Returns nil for supermarket receipts, for receipts that are not in review, and for unproven documents without
    /// candidates.
    static func load(
        _ receipt: StoredReceipt, _ member: Member, _ database: Database, _ language: Language, _ words: LanguageTexts
    ) async throws -> ReviewPaper? {
        guard let paper = paper(of: receipt) else { return nil }
        let suggestions = try await ExpenseSuggestions.load(member, database)
        return ReviewPaper(
            stored: paper, categories: suggestions.categories, found: found(paper, receipt, suggestions),
            currency: receipt.currency, language: language, words: words)
    }

    /// Returns nil when the review page does not have the additional parts.
    private static func paper(of receipt: StoredReceipt) -> StoredPaper? {
        guard let paper = receipt.paper, receipt.stage == .review, paper.kind != nil || receipt.draft.lines.isEmpty,
            receipt.verdict == .proven || paper.candidates.values.contains(where: { !$0.isEmpty })
        else { return nil }
        return paper
    }

    private static func found(
        _ paper: StoredPaper, _ receipt: StoredReceipt, _ suggestions: ExpenseSuggestions
    ) -> ExpenseSuggestions.Suggestion? {
        let amount = suggestions.home == CurrencyCode(receipt.currency) ? receipt.draft.total.map(abs) : nil
        return suggestions.find(what: paper.categoryText, payee: receipt.draft.store, amount: amount)
    }

    /// The values that the review page would suggest. Used for a receipt that is confirmed without opening that page.
    static func suggestedChoice(
        for receipt: StoredReceipt, _ member: Member, _ changes: HouseholdTransaction
    ) async throws -> ReceiptCompletion.Choice? {
        guard paper(of: receipt) != nil else { return nil }
        return suggestedChoice(for: receipt, try await ExpenseSuggestions.load(member, changes))
    }

    static func suggestedChoice(
        for receipt: StoredReceipt, _ suggestions: ExpenseSuggestions
    ) -> ReceiptCompletion.Choice? {
        guard let paper = paper(of: receipt) else { return nil }
        let found = found(paper, receipt, suggestions)
        return ReceiptCompletion.Choice(
            category: found?.category, decision: found?.decision ?? .suggested,
            paidOn: paper.due.flatMap { isPaymentDay($0) ? $0 : nil })
    }

    /// The boxes of all candidates on the pictures: page number and pixels of the reading picture.
    var places: [(field: ReviewField, place: [Int32])] {
        stored.candidates.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { field, candidates in
            candidates.filter { !$0.place.isEmpty }.map { (field, $0.place) }
        }
    }

    /// The values that a person chose on the page; nil when the page had no fields for them.
    ///
    /// - Throws: `Refusal.badRequest` if the category is neither an identifier nor `none` nor empty.
    static func choice(_ form: ReviewForm) throws -> ReceiptCompletion.Choice? {
        guard let text = form.texts["category"] else { return nil }
        var choice = ReceiptCompletion.Choice()
        if !text.isEmpty, text != TypedExpense.none {
            guard let category = CategoryID(text) else { throw Refusal.badRequest }
            choice.category = category
            choice.decision = text == form.texts["suggested"] ? .suggested : .person
        }
        choice.paidOn = form.texts["paid_on"].flatMap { LocalDate(parsing: $0) }
        return choice
    }

    /// The error message for a day of payment that is too early or too late; nil when the day is missing or valid.
    static func paymentDayProblem(_ form: ReviewForm, _ words: LanguageTexts) -> String? {
        guard let text = form.texts["paid_on"], !text.isEmpty else { return nil }
        guard let day = LocalDate(parsing: text) else { return words["server.form.date"] }
        return isPaymentDay(day) ? nil : words["server.expense.day-range"]
    }

    private static func isPaymentDay(_ day: LocalDate) -> Bool {
        (.firstPurchaseDay...WallClock.today().adding(days: 365)).contains(day)
    }

    // MARK: The page

    func formModel(_ form: ReviewForm?, _ draft: ReviewDraft) -> FormModel {
        let chosen = form?.texts["category"].map { CategoryID($0) } ?? found?.category
        let isInvoice = stored.kind == .invoice
        return FormModel(
            name: words["server.paper.\(stored.kind?.rawValue ?? "other")"],
            candidates: [ReviewField.total, .day, .store].compactMap { row($0, draft) },
            categories: [
                Choice(
                    value: TypedExpense.none, label: words["server.category.none"], isSelected: chosen == nil)
            ] + categories.options(chosen, language), suggested: found?.category?.description ?? "",
            reason: reason,
            paymentDay: isInvoice || stored.due != nil ? form?.texts["paid_on"] ?? stored.due?.iso ?? "" : nil,
            paymentError: form?.errors["paid_on"], facts: facts)
    }

    private func row(_ field: ReviewField, _ draft: ReviewDraft) -> Row? {
        let candidates = stored.candidates[field] ?? []
        let choices = candidates.enumerated().map { index, candidate in
            let (value, shown) = texts(field, candidate)
            return Candidate(
                name: "\(field.rawValue).\(index)", field: field.rawValue, value: value, shown: shown,
                isChosen: isChosen(field, candidate, draft))
        }
        // A single candidate that is already chosen is not shown, because there is no other choice.
        guard choices.contains(where: { !$0.isChosen }) else { return nil }
        return Row(label: words["field.\(field.rawValue)"], choices: choices)
    }

    /// The value for the form and the text to show.
    private func texts(_ field: ReviewField, _ candidate: StoredPaper.Candidate) -> (value: String, shown: String) {
        switch field {
        case .total:
            guard let money = try? Money(parsing: candidate.value, currency: currency) else { break }
            return (money.figure(language), money.formatted(language))
        case .day:
            guard let day = LocalDate(parsing: candidate.value) else { break }
            return (day.iso, day.formatted(language))
        default: break
        }
        return (candidate.value, candidate.value)
    }

    private func isChosen(_ field: ReviewField, _ candidate: StoredPaper.Candidate, _ draft: ReviewDraft) -> Bool {
        switch field {
        case .total:
            draft.total != nil && draft.total == (try? Money(parsing: candidate.value, currency: currency))?.minorUnits
        case .day: draft.day?.iso == candidate.value
        default: draft.store == candidate.value
        }
    }

    private var reason: String? {
        guard let found, found.category != nil else { return nil }
        if case .word = found.reason, let kind = stored.kind, kind.categoryWord != nil {
            return words["server.paper.reason", ["text": .text(words["server.paper.\(kind.rawValue)"])]]
        }
        return ExpenseSuggestions.text(found.reason, words)
    }

    private var facts: [String] {
        var facts: [String] = []
        if let tip = stored.tip {
            let amount = Money(minorUnits: tip, currency: currency).formatted(language)
            facts.append(words["server.paper.tip", ["amount": .text(amount)]])
        }
        if let litres = stored.litres {
            let figure = Quantity(thousandths: litres, unit: .litre).figure(language)
            facts.append(words["server.paper.litres", ["count": .number(figure)]])
        }
        if let due = stored.due { facts.append(words["server.paper.due", ["day": .text(due.formatted(language))]]) }
        if let iban = stored.iban { facts.append(words["server.paper.iban", ["text": .text(iban)]]) }
        return facts
    }

    struct FormModel: PageModel {
        let name: String
        let candidates: [Row]
        let categories: [Choice]
        let suggested: String
        let reason: String?
        /// Nil when the page has no field for the day of payment.
        let paymentDay: String?
        let paymentError: String?
        let facts: [String]

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.list("candidates") { $0.candidates }
            f.list("categories") { $0.categories }
            f.text("suggested") { $0.suggested }
            f.flag("hasReason") { $0.reason != nil }
            f.text("reason") { $0.reason ?? "" }
            f.flag("hasPaymentDay") { $0.paymentDay != nil }
            f.text("paymentDay") { $0.paymentDay ?? "" }
            f.optionalText("paymentError") { $0.paymentError }
            f.texts("facts") { $0.facts }
        }
    }

    /// The candidates for one value.
    struct Row: PageModel {
        let label: String
        let choices: [Candidate]

        static let fields = Fields<Self> { f in
            f.text("label") { $0.label }
            f.list("choices") { $0.choices }
        }
    }

    struct Candidate: PageModel {
        let name: String
        let field: String
        let value: String
        let shown: String
        let isChosen: Bool

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.text("field") { $0.field }
            f.text("value") { $0.value }
            f.text("shown") { $0.shown }
            f.flag("isChosen") { $0.isChosen }
        }
    }
}
