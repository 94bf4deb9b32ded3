import Domain
import Templates

/// The model of the view `expenses/split`.
struct SplitPage: PageModel {
    let split: SplitExpense
    /// The submitted form, if it was not saved; nil on the first visit.
    let typed: SplitForm?
    /// The default split of the expense's category; nil if it has none.
    let proposal: CategorySplit?
    let words: LanguageTexts
    let language: Language
    /// The revision in the submitted form; nil for the stored revision. If the form is saved again, the revision shows
    /// whether the document was changed since.
    var shownRevision: Int64?
    var problem: Problem?

    private var method: SplitMethod { typed?.method ?? split.method ?? proposal?.method ?? .equal }

    /// Whether the page shows the default split of the category.
    private var isProposed: Bool { typed == nil && split.method == nil && proposal != nil }

    private var payer: PersonID? { typed?.paidBy ?? split.entry.paidBy }

    private var weights: [PersonID: Int64] { isProposed ? proposal?.weights ?? [:] : split.weights }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.text("what") { page in
            page.split.entry.what.isEmpty ? page.words["server.expense.receipt"] : page.split.entry.what
        }
        f.text("amount") { $0.split.entry.amount.formatted($0.language) }
        f.text("action") { "/expenses/\($0.split.entry.id)/split" }
        f.text("backHref") { page in page.split.entry.href }
        f.text("revision") { String($0.shownRevision ?? $0.split.entry.revision) }
        f.flag("isSplit") { $0.split.method != nil }
        f.text("category") { page in
            page.split.choices.categories.name(page.split.entry.ownCategory, page.language, page.words)
        }
        f.text("categoryHref") { page in
            page.split.entry.ownCategory.map { "/settings/categories/\($0)" } ?? "/settings/stores-and-categories"
        }
        f.flag("canBeDefault") { $0.split.entry.ownCategory != nil && $0.split.choices.members.count > 1 }
        f.flag("isDefault") { $0.typed?.isDefault ?? false }
        f.flag("hasDefault") { $0.proposal != nil }
        f.flag("isProposed") { $0.isProposed }
        f.flag("hasOneMember") { $0.split.choices.members.count < 2 }
        f.list("methods") { page in
            SplitMethod.allCases.filter { $0 != .lines || !page.split.lines.isEmpty }.map {
                Choice(
                    value: $0.rawValue, label: page.words["server.split.method-\($0.rawValue)"],
                    isSelected: $0 == page.method)
            }
        }
        f.list("payers") { page in
            page.split.choices.memberOptions { $0 == page.payer } + page.formerPayer
        }
        f.list("members") { page in
            page.split.choices.members.map { person, name in
                SplitMember(
                    id: person, name: name,
                    isParticipant: page.typed.map { $0.typed[person] != nil }
                        ?? page.isParticipant(person),
                    value: page.typed?.typed[person] ?? page.value(of: person),
                    part: page.split.parts[person].map {
                        Amount(minorUnits: $0, currency: page.split.entry.amount.currency).formatted(page.language)
                    })
            }
        }
        f.flag("isByLine") { $0.method == .lines }
        f.flag("hasLines") { !$0.split.lines.isEmpty }
        f.list("lines") { page in
            page.split.lines.map { line in
                SplitLineRow(
                    line: line,
                    amount: Amount(minorUnits: line.amount, currency: page.split.entry.amount.currency)
                        .formatted(page.language),
                    people: page.split.choices.members.map {
                        Choice(
                            value: $0.id.description, label: $0.name, isSelected: page.taken[line.id] == $0.id)
                    })
            }
        }
    }

    /// The stored payer, if that person has left the household.
    private var formerPayer: [Choice] {
        guard let stored = split.entry.paidBy, split.choices.name(stored) == nil, let name = split.payerName else {
            return []
        }
        return [Choice(value: stored.description, label: name, isSelected: stored == payer)]
    }

    private var taken: [ReceiptLineID: PersonID] { typed?.lines ?? split.byLine.taken }

    /// Whether a member takes part in the stored or proposed split. In a split by line, the people who share lines take
    /// part.
    private func isParticipant(_ person: PersonID) -> Bool {
        if split.method == .lines, !split.byLine.isEmpty { return split.byLine.sharedBy.contains(person) }
        return weights.isEmpty || weights[person] != nil
    }

    /// The stored or proposed weight, formatted like the values that a person types for the method.
    private func value(of person: PersonID) -> String {
        guard let weight = weights[person] else { return "" }
        switch method {
        case .equal, .lines: return ""
        case .shares, .percent: return DecimalText.format(weight, decimals: 2, minimum: 0, in: language)
        case .exact:
            // Shows the current shares. The weights do not add up to the total of a receipt that was changed or
            // separated after the split.
            let part = isProposed ? weight : split.parts[person].map(abs) ?? weight
            return Amount(minorUnits: part, currency: split.entry.amount.currency).field(language)
        }
    }
}

/// A member in the split form.
struct SplitMember: PageModel {
    let id: PersonID
    let name: String
    /// Whether the expense is split with this member.
    let isParticipant: Bool
    let value: String
    /// The member's current share.
    let part: String?

    static let fields = Fields<Self> { f in
        f.text("id") { $0.id.description }
        f.text("name") { $0.name }
        f.flag("isParticipant") { $0.isParticipant }
        f.text("value") { $0.value }
        f.optionalText("part") { $0.part }
    }
}

/// A line of a receipt in the split form.
struct SplitLineRow: PageModel {
    let line: SplitLine
    let amount: String
    let people: [Choice]

    static let fields = Fields<Self> { f in
        f.text("id") { $0.line.id.description }
        f.text("name") { $0.line.name }
        f.text("amount") { $0.amount }
        f.list("people") { $0.people }
    }
}
