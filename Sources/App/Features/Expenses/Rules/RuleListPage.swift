import Domain
import Templates

/// The model of the view `expenses/rules`.
struct RuleListPage: PageModel {
    let rules: [StoredRule]
    let runs: [RuleRuns.StoredRun]
    let choices: ExpenseChoices
    let isMember: Bool
    let words: LanguageTexts
    let language: Language

    static let fields = Fields<Self> { f in
        f.flag("isMember") { $0.isMember }
        f.flag("isEmpty") { $0.rules.isEmpty }
        f.list("rules") { page in
            page.rules.enumerated().map { index, rule in
                RuleRow(
                    rule: rule, isFirst: index == 0, isLast: index == page.rules.count - 1, choices: page.choices,
                    words: page.words, language: page.language)
            }
        }
        f.flag("hasRuns") { !$0.runs.isEmpty }
        f.list("runs") { page in page.runs.map { RuleRunRow(run: $0, words: page.words, language: page.language) } }
    }
}

/// A rule in the list: its condition and its outcome, each as a short text.
struct RuleRow: PageModel {
    let rule: StoredRule
    let isFirst: Bool
    let isLast: Bool
    let choices: ExpenseChoices
    let words: LanguageTexts
    let language: Language

    private func money(_ minorUnits: Int64) -> String {
        Amount(minorUnits: minorUnits, currency: choices.home).formatted(language)
    }

    private var condition: String {
        var parts: [String] = []
        if !rule.values.contains.isEmpty {
            parts.append(words["server.rule.contains", ["text": .text(rule.values.contains)]])
        }
        if let minimum = rule.values.minimumAmount {
            parts.append(words["server.rule.least", ["amount": .text(money(minimum))]])
        }
        if let maximum = rule.values.maximumAmount {
            parts.append(words["server.rule.most", ["amount": .text(money(maximum))]])
        }
        return parts.joined(separator: " · ")
    }

    private var outcome: String {
        var parts: [String] = []
        if let category = rule.values.category { parts.append(choices.categories.name(category, language, words)) }
        parts += rule.values.labels.map { "#\($0)" }
        let names = rule.values.people.compactMap { choices.name($0) }
        if !names.isEmpty { parts.append(words["server.rule.people", ["names": .text(names.joined(separator: ", "))]]) }
        return parts.joined(separator: " · ")
    }

    static let fields = Fields<Self> { f in
        f.text("href") { "/rules/\($0.rule.id)" }
        f.text("condition") { $0.condition }
        f.text("outcome") { $0.outcome }
        f.flag("canMoveUp") { !$0.isFirst }
        f.flag("canMoveDown") { !$0.isLast }
    }
}

/// A run of a rule: its application to existing expenses.
struct RuleRunRow: PageModel {
    let run: RuleRuns.StoredRun
    let words: LanguageTexts
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("action") { "/rules/runs/\($0.run.id)/removal" }
        f.text("name") { $0.run.name.isEmpty ? $0.words["server.rule.amounts"] : $0.run.name }
        f.text("day") { DisplayDate.dayAndTime($0.run.appliedAt, $0.language) }
        f.number("count") { Int($0.run.count) }
    }
}

/// The model of the view `expenses/rule`: a new rule, or a stored rule to change.
struct RulePage: EditPage {
    let form: RuleForm
    let stored: StoredRule?
    let choices: ExpenseChoices
    let days: DayText
    var errors = FieldErrors()
    var shownRevision: Int64?
    var problem: Problem?
    /// The changes that the rule would make; nil if it was not tried yet.
    var trial: [RuleTrial.Change]?

    var storedRevision: Int64? { stored?.revision }

    static let fields = Fields<Self> { f in
        f.flag("isNew") { $0.stored == nil }
        f.text("action") { page in page.stored.map { "/rules/\($0.id)" } ?? "/rules" }
        f.formState()
        f.text("contains") { $0.form.contains }
        f.text("least") { $0.form.minimumAmount }
        f.text("most") { $0.form.maximumAmount }
        f.text("currency") { $0.choices.home.symbol }
        f.text("labels") { $0.form.labels }
        f.list("categories") { page in
            [
                Choice(
                    value: "", label: page.days.words["server.rule.keep-category"],
                    isSelected: page.form.category.isEmpty)
            ]
                + page.choices.categories.options(CategoryID(page.form.category), page.days.language)
        }
        f.flag("hasPeople") { $0.choices.members.count > 1 }
        f.list("people") { page in
            page.choices.memberOptions { page.form.people.contains($0) }
        }
        f.optionalText("trialCount") { page in page.trial.map { String($0.count) } }
        f.list("trial") { page in
            (page.trial ?? []).prefix(RuleTrial.maximumShown).map { change in
                RuleTrialRow(
                    href: change.href, what: change.what, day: page.days.short(change.day),
                    before: page.choices.categories.name(change.before, page.days.language, page.days.words))
            }
        }
        f.flag("hasMore") { ($0.trial?.count ?? 0) > RuleTrial.maximumShown }
    }
}

/// An expense or a receipt that the rule would change.
struct RuleTrialRow: PageModel {
    let href: String
    let what: String
    let day: String
    let before: String

    static let fields = Fields<Self> { f in
        f.text("href") { $0.href }
        f.text("what") { $0.what }
        f.text("day") { $0.day }
        f.text("before") { $0.before }
    }
}
