import Domain
import HTTP
import Postgres

/// The filter of the expense list, read from the query string.
struct ExpenseFilter: Sendable {
    var search = ""
    var category: SpentCategory?
    /// The payer; `nobody` for entries without one.
    var member: PersonID?
    var kind: ExpenseKind?
    var label = ""
    /// The normalised name of the payee; empty for all payees.
    var payee = ""
    /// Only entries of these days: a month, or the range of dates in the query.
    var days: Range<LocalDate>?
    /// Only entries before this month. Used to show the next page.
    var before: Month?

    static let withoutPayer = PersonID(high: 0, low: 0)

    /// A filter for one month.
    init(month: Month) { days = month.firstDay..<month.next.firstDay }

    init(_ head: RequestHead) {
        search = head.queryText("search", limit: TextLimit.search)
        category = head.query("category").flatMap(SpentCategory.init(value:))
        member = head.query("member").flatMap { PersonID($0) }
        kind = head.query("kind").flatMap(ExpenseKind.init(rawValue:))
        label = head.queryText("label", limit: TextLimit.label)
        payee = head.queryText("payee", limit: TextLimit.payee)
        before = head.query("before").flatMap { Month(parsing: $0) }
        if let month = head.query("month").flatMap({ Month(entered: $0) }) {
            days = month.firstDay..<month.next.firstDay
        } else if let from = head.query("from").flatMap({ LocalDate(parsing: $0) }),
            let to = head.query("to").flatMap({ LocalDate(parsing: $0) }), from <= to
        {
            days = from..<to.adding(days: 1)
        }
    }

    /// Returns the filter with the additional condition that entries are of this month.
    func restricted(to month: Month) -> ExpenseFilter {
        let whole = month.firstDay..<month.next.firstDay
        var filter = self
        filter.days = days.map { $0.clamped(to: whole) } ?? whole
        return filter
    }

    /// The month, if the filter selects exactly one month; nil otherwise.
    var month: Month? {
        days.flatMap {
            $0 == $0.lowerBound.month.firstDay..<$0.lowerBound.month.next.firstDay ? $0.lowerBound.month : nil
        }
    }

    /// Whether there is a filter other than the dates.
    var isActive: Bool { !search.isEmpty || hasChoices }

    /// Whether there is a filter other than the search and the dates.
    var hasChoices: Bool {
        category != nil || member != nil || kind != nil || !label.isEmpty || !payee.isEmpty
    }

    /// A condition on `e`, an expense without a receipt.
    func expenses(_ household: HouseholdID, similar: SimilarExpenses?) -> SQL {
        var parts: [SQL] = []
        if let days { parts.append("(e.day >= \(days.lowerBound) AND e.day < \(days.upperBound))") }
        if let before { parts.append("e.day < \(before.firstDay)") }
        if let kind { parts.append("e.kind = \(kind)") }
        if let member { parts.append(member == Self.withoutPayer ? "e.paid_by IS NULL" : "e.paid_by = \(member)") }
        if !label.isEmpty { parts.append("\(label) = ANY(e.labels)") }
        if !payee.isEmpty { parts.append("e.payee_key = \(payee)") }
        if let category {
            parts.append(
                category.id.map { "e.category_id IN (\(Self.below($0, household)))" } ?? "e.category_id IS NULL")
        }
        if let similar {
            parts.append("(e.what = ANY(\(similar.texts)) OR e.payee = ANY(\(similar.texts)))")
        } else if !search.isEmpty {
            let pattern = ReceiptFilter.pattern(search)
            parts.append(
                """
                (e.what ILIKE \(pattern) OR e.payee ILIKE \(pattern) OR e.note ILIKE \(pattern)
                OR \(hasAmount("e.amount_minor", "e.currency")) OR \(hasAmount("e.stated_minor", "e.stated_currency"))
                OR array_to_string(e.labels, ' ') ILIKE \(pattern))
                """)
        }
        return parts.isEmpty ? "true" : parts.joined(separator: " AND ")
    }

    /// A condition on the receipt `r`, its store `s` and its expense `e`; nil if the filter excludes all receipts.
    func receipts(_ household: HouseholdID, similar: SimilarExpenses?) -> SQL? {
        guard kind == nil || kind == .expense else { return nil }
        var parts: [SQL] = []
        if let days { parts.append("(r.purchase_day >= \(days.lowerBound) AND r.purchase_day < \(days.upperBound))") }
        if let before { parts.append("r.purchase_day < \(before.firstDay)") }
        if let member { parts.append("coalesce(e.paid_by, r.person_id, \(ExpenseSums.none)) = \(member)") }
        if !label.isEmpty { parts.append("\(label) = ANY(e.labels)") }
        if !payee.isEmpty { parts.append("s.chain = \(payee)") }
        if let category {
            parts.append("\(Self.part(of: category, household)) IS NOT NULL")
        }
        if let similar {
            parts.append("s.name = ANY(\(similar.texts))")
        } else if !search.isEmpty {
            let pattern = ReceiptFilter.pattern(search)
            parts.append(
                """
                (s.name ILIKE \(pattern) OR r.note ILIKE \(pattern) OR e.note ILIKE \(pattern)
                OR \(hasAmount(RollUps.total, "r.currency")) OR \(hasAmount("e.stated_minor", "e.stated_currency"))
                OR array_to_string(e.labels, ' ') ILIKE \(pattern))
                """)
        }
        return parts.isEmpty ? "true" : parts.joined(separator: " AND ")
    }

    /// An SQL expression: the amount of the receipt `r` with the expense `e`. This is its total, or the part in the
    /// filter's category.
    func receiptAmount(_ household: HouseholdID) -> SQL {
        category.map { Self.part(of: $0, household) } ?? RollUps.total
    }

    /// An SQL expression: the part of receipt `r` in a category, by the rule of `RollUps.amounts`. NULL if there is no
    /// such part.
    private static func part(of category: SpentCategory, _ household: HouseholdID) -> SQL {
        let ids: SQL = category.id.map { "ARRAY(\(below($0, household)))" } ?? "ARRAY[\(ExpenseSums.none)]"
        return """
            (SELECT sum(x.amount) FROM (
                SELECT l.total_minor AS amount FROM receipt_line l \(RollUps.categorySource(household))
                WHERE l.household_id = r.household_id AND l.receipt_id = r.id
                    AND \(RollUps.spentCategory(household)) = ANY(\(ids))
                UNION ALL
                SELECT r.total_minor - coalesce(sum(a.total_minor), 0) FROM receipt_line a
                WHERE a.household_id = r.household_id AND a.receipt_id = r.id
                HAVING \(RollUps.receiptCategory) = ANY(\(ids))
                    AND r.total_minor <> coalesce(sum(a.total_minor), 0)) x)
            """
    }

    /// A condition on an amount in minor units and its currency; false if the search text is not an amount.
    private func hasAmount(_ amount: SQL, _ code: SQL) -> SQL {
        SearchedAmount(search)?.isEqual(amount, code) ?? "false"
    }

    /// Selects a category and all categories below it.
    private static func below(_ id: CategoryID, _ household: HouseholdID) -> SQL {
        """
        WITH RECURSIVE below AS (
            SELECT c.id FROM category c WHERE c.household_id = \(household) AND c.id = \(id)
            UNION SELECT c.id FROM category c JOIN below b ON c.parent_id = b.id WHERE c.household_id = \(household))
        SELECT id FROM below
        """
    }

    /// The address of the list with this filter.
    ///
    /// - Parameter before: for the next page, only entries before this month; nil for the first page.
    func href(before: Month?) -> String {
        var pairs: [(String, String)] = []
        if !search.isEmpty { pairs.append(("search", search)) }
        if let category { pairs.append(("category", category.value)) }
        if let member { pairs.append(("member", member.description)) }
        if let kind { pairs.append(("kind", kind.rawValue)) }
        if !label.isEmpty { pairs.append(("label", label)) }
        if !payee.isEmpty { pairs.append(("payee", payee)) }
        if let before { pairs.append(("before", ReceiptFilter.value(before))) }
        if let days {
            pairs += [("from", days.lowerBound.iso), ("to", days.upperBound.adding(days: -1).iso)]
        }
        guard !pairs.isEmpty else { return "/expenses/list" }
        return "/expenses/list?" + pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
    }
}
