import Domain
import Templates

/// The model of the view `expenses/edit`: a new expense, or a stored expense to change.
struct ExpensePage: EditPage {
    let typed: TypedExpense
    let choices: ExpenseChoices
    /// Nil for a new expense.
    var stored: StoredExpense?
    /// Entries that may be the same payment as the expense, if one of both is of a bank file.
    var bankPairs: [BankPairRow] = []
    /// Whether the member entered the expense and so may hide it from the others.
    var isAuthor = true
    var errors = FieldErrors()
    var shownRevision: Int64?
    var problem: Problem?
    let words: LanguageTexts
    let language: Language

    var storedRevision: Int64? { stored?.revision }

    /// The stored payer, if that person has left the household.
    private var formerPayer: [Choice] {
        guard let stored, let payer = stored.paidBy, choices.name(payer) == nil else { return [] }
        return [
            Choice(
                value: payer.description, label: stored.payerName ?? words["server.expense.nobody"],
                isSelected: payer.description == typed.paidBy)
        ]
    }

    static let fields = Fields<Self> { f in
        f.flag("isNew") { $0.stored == nil }
        f.text("action") { page in page.stored.map { "/expenses/\($0.id)" } ?? "/expenses" }
        f.formState()
        f.text("storedWhat") { $0.stored?.what ?? "" }
        f.list("bankPairs") { $0.bankPairs }
        f.text("amount") { $0.typed.amount }
        f.text("what") { $0.typed.what }
        f.text("day") { $0.typed.day }
        f.text("payee") { $0.typed.payee }
        f.text("labels") { $0.typed.labels }
        f.text("note") { $0.typed.note }
        f.text("stated") { $0.typed.stated }
        f.text("home") { $0.choices.home.code }
        f.flag("isPersonal") { $0.typed.isPersonal }
        f.flag("canSplit") { $0.stored == nil && $0.choices.members.count > 1 }
        f.flag("splitsNext") { $0.typed.splitsNext }
        f.flag("isSplittable") { page in page.stored.map { !$0.isPersonal && $0.kind != .withdrawal } ?? false }
        f.flag("isAuthor") { $0.isAuthor }
        f.flag("hasDetails") { page in page.stored != nil || !page.errors.isEmpty }
        f.optionalText("homeAmount") { page in
            page.stored.flatMap { stored in
                stored.amount.currency == page.choices.home
                    ? nil
                    : stored.home.map { Amount(minorUnits: $0, currency: page.choices.home).formatted(page.language) }
            }
        }
        f.flag("isWithoutRate") { page in
            page.stored.map { $0.home == nil && $0.amount.currency != page.choices.home } ?? false
        }
        f.list("kinds") { page in
            ExpenseKind.allCases.map {
                Choice(
                    value: $0.rawValue, label: page.words["server.expense.kind.\($0.rawValue)"],
                    isSelected: $0 == page.typed.kind)
            }
        }
        f.list("currencies") { page in
            let offered =
                CurrencyCode.offered + (CurrencyCode.offered.contains(page.typed.currency) ? [] : [page.typed.currency])
            return offered.map {
                Choice(value: $0.code, label: $0.code, isSelected: $0 == page.typed.currency)
            }
        }
        f.list("categories") { page in
            (page.stored == nil
                ? [
                    Choice(
                        value: "", label: page.words["server.expense.suggested"],
                        isSelected: page.typed.category.isEmpty)
                ]
                : [])
                + [
                    Choice(
                        value: TypedExpense.none, label: page.words["server.category.none"],
                        isSelected: page.typed.category == TypedExpense.none)
                ] + page.choices.categories.options(CategoryID(page.typed.category), page.language)
        }
        f.list("payers") { page in
            [Choice(value: "", label: page.words["server.expense.nobody"], isSelected: page.typed.paidBy.isEmpty)]
                + page.choices.memberOptions { $0.description == page.typed.paidBy } + page.formerPayer
        }
    }
}
