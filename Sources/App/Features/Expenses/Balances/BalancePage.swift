import Domain
import Templates

/// The model of the view `expenses/balances`.
struct BalancePage: PageModel {
    let result: BalanceQueries.Result
    let isMember: Bool
    let days: DayText
    /// The refused form for a payment; nil if there is none.
    var typed: TypedPayment?
    var problem: Problem?

    /// The fields of the form for a payment as typed.
    struct TypedPayment: Sendable {
        let from: PersonID
        let to: PersonID
        let amount: String
    }

    private func choices(_ selected: PersonID?) -> [Choice] {
        result.choices.memberOptions { $0 == selected }
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.flag("isMember") { $0.isMember }
        f.flag("hasOneMember") { $0.result.choices.members.count < 2 }
        f.flag("isSettled") { $0.result.balances.isEmpty }
        f.list("balances") { page in
            page.result.balances.sorted { $0.key < $1.key }.flatMap { currency, balances in
                balances.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map { person, amount in
                    BalanceRow(
                        name: page.name(person), isOwed: amount > 0, amount: page.text(abs(amount), currency))
                }
            }
        }
        f.list("transfers") { page in
            page.result.balances.sorted { $0.key < $1.key }.flatMap { currency, balances in
                DebtSettlement.transfers(balances).map { transfer in
                    TransferRow(
                        from: transfer.from, to: transfer.to, fromName: page.name(transfer.from),
                        toName: page.name(transfer.to), amount: Amount(minorUnits: transfer.amount, currency: currency),
                        language: page.days.language)
                }
            }
        }
        f.flag("hasSettlements") { !$0.result.settlements.isEmpty }
        f.list("settlements") { page in
            page.result.settlements.map {
                SettlementRow(
                    id: $0.id, from: page.name($0.from), to: page.name($0.to),
                    amount: $0.amount.formatted(page.days.language), day: page.days.short($0.day))
            }
        }
        f.flag("hasShared") { !$0.result.shared.isEmpty }
        f.list("shared") { page in
            page.result.shared.map { EntryRow(entry: $0, choices: page.result.choices, days: page.days) }
        }
        f.flag("isTyped") { $0.typed != nil }
        f.text("amount") { $0.typed?.amount ?? "" }
        f.list("payers") { page in page.choices(page.typed?.from ?? page.result.choices.members.first?.id) }
        // A new form preselects two different members.
        f.list("receivers") { page in
            page.choices(page.typed?.to ?? page.result.choices.members.dropFirst().first?.id)
        }
        f.text("currency") { $0.result.choices.home.code }
    }

    private func name(_ person: PersonID) -> String { result.names[person] ?? days.words["server.expense.nobody"] }

    private func text(_ minorUnits: Int64, _ currency: CurrencyCode) -> String {
        Amount(minorUnits: minorUnits, currency: currency).formatted(days.language)
    }
}

/// A member's balance in one currency.
struct BalanceRow: PageModel {
    let name: String
    let isOwed: Bool
    let amount: String

    static let fields = Fields<Self> { f in
        f.text("name") { $0.name }
        f.flag("isOwed") { $0.isOwed }
        f.text("amount") { $0.amount }
    }
}

/// A payment that would settle a balance.
struct TransferRow: PageModel {
    let from: PersonID
    let to: PersonID
    let fromName: String
    let toName: String
    let amount: Amount
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("from") { $0.from.description }
        f.text("to") { $0.to.description }
        f.text("fromName") { $0.fromName }
        f.text("toName") { $0.toName }
        f.text("amount") { $0.amount.formatted($0.language) }
        f.text("value") { $0.amount.field($0.language) }
        f.text("currency") { $0.amount.currency.code }
    }
}

struct SettlementRow: PageModel {
    let id: SettlementID
    let from: String
    let to: String
    let amount: String
    let day: String

    static let fields = Fields<Self> { f in
        f.text("action") { "/settlements/\($0.id)/removal" }
        f.text("from") { $0.from }
        f.text("to") { $0.to }
        f.text("amount") { $0.amount }
        f.text("day") { $0.day }
    }
}
