import Templates

/// A month of a chart of spending: a bar that links to the month.
struct MonthBar: PageModel {
    let href: String
    let name: String
    /// The month's name cut to three letters.
    let short: String
    let amount: String
    /// The length of the bar in percent of the available length.
    let share: Int
    let isCurrent: Bool

    static let fields = Fields<Self> { f in
        f.text("href") { $0.href }
        f.text("name") { $0.name }
        f.text("short") { $0.short }
        f.text("amount") { $0.amount }
        f.number("top") { 100 - $0.share }
        f.number("share") { $0.share }
        f.flag("isCurrent") { $0.isCurrent }
    }
}
