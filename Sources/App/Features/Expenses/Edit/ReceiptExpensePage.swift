import Domain
import HTTP
import Templates

/// The fields of the form for the expense of a receipt as typed.
struct TypedReceiptExpense: Sendable {
    /// The identifier of a category, or `TypedExpense.none`.
    let category: String
    let paidBy: String
    let labels: String

    /// - Throws: `Refusal.badRequest` for values that the form does not offer.
    init(_ form: FormFields) throws {
        category = try form.required("category")
        paidBy = form.trimmed("paid-by") ?? ""
        labels = form.trimmed("labels") ?? ""
        guard category == TypedExpense.none || CategoryID(category) != nil, paidBy.isEmpty || PersonID(paidBy) != nil
        else { throw Refusal.badRequest }
    }

    init(_ stored: StoredReceiptExpense) {
        category = stored.category?.description ?? TypedExpense.none
        paidBy = stored.paidBy?.description ?? ""
        labels = stored.labels.joined(separator: ", ")
    }
}

/// The model of the view `expenses/receipt`: those values of a confirmed receipt that are not printed on it.
struct ReceiptExpensePage: EditPage {
    let receipt: ReceiptID
    let stored: StoredReceiptExpense
    var typed: TypedReceiptExpense
    let choices: ExpenseChoices
    let words: LanguageTexts
    let language: Language
    var errors = FieldErrors()
    var shownRevision: Int64?
    var problem: Problem?

    var storedRevision: Int64? { stored.revision }

    static let fields = Fields<Self> { f in
        f.text("what") { $0.stored.store.isEmpty ? $0.words["server.no-store"] : $0.stored.store }
        f.text("amount") { $0.stored.amount.formatted($0.language) }
        f.text("backHref") { "/receipts/\($0.receipt)" }
        f.text("action") { "/receipts/\($0.receipt)/expense" }
        f.formState()
        f.text("labels") { $0.typed.labels }
        f.list("categories") { page in
            [
                Choice(
                    value: TypedExpense.none, label: page.words["server.expense.by-lines"],
                    isSelected: page.typed.category == TypedExpense.none)
            ] + page.choices.categories.options(CategoryID(page.typed.category), page.language)
        }
        f.list("payers") { page in
            page.unknownPayer
                + page.choices.memberOptions { $0.description == page.typed.paidBy } + page.formerPayer
        }
    }

    /// The choice for a receipt without a payer.
    private var unknownPayer: [Choice] {
        guard stored.paidBy == nil else { return [] }
        return [Choice(value: "", label: words["server.expense.nobody"], isSelected: typed.paidBy.isEmpty)]
    }

    /// The stored payer, if that person has left the household.
    private var formerPayer: [Choice] {
        guard let payer = stored.paidBy, choices.name(payer) == nil, let name = stored.payerName else { return [] }
        return [Choice(value: payer.description, label: name, isSelected: payer.description == typed.paidBy)]
    }
}
