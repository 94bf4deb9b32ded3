import Domain
import HTTP
import Postgres
import Templates

/// The filter of the receipt list, read from the query of the address.
struct ReceiptFilter: Sendable {
    var search = ""
    var store: StoreID?
    var member: PersonID?
    var category: SpentCategory?
    var state: ReceiptState.Name?
    /// Only receipts of this month.
    var month: Month?
    /// Only receipts before this month.
    var before: Month?
    /// The number of receipts of the month on the previous pages.
    var skipped = 0

    init(_ head: RequestHead) {
        search = head.queryText("search", limit: TextLimit.search)
        store = head.query("store").flatMap { StoreID($0) }
        member = head.query("member").flatMap { PersonID($0) }
        if var category = head.query("category").flatMap(SpentCategory.init(value:)) {
            // The filter form sends as `alone` the category for which `excludesSubcategories` was set. If the person
            // then chooses another category, `excludesSubcategories` is false.
            category.excludesSubcategories = ["1", "true", category.value].contains(head.query("alone") ?? "")
            self.category = category
        }
        state = head.query("state").flatMap(ReceiptState.Name.init(rawValue:))
        before = head.query("before").flatMap { Month(parsing: $0) }
        month = head.query("month").flatMap { Month(entered: $0) }
        guard month != nil else { return }
        skipped = head.query("after").flatMap { Int($0) }.map { min(max($0, 0), 1_000_000) } ?? 0
    }

    /// The month as a query value.
    static func value(_ month: Month) -> String { month.iso }

    /// Whether the filter has any condition other than `before`.
    var isActive: Bool { !search.isEmpty || hasChoices }

    /// Whether the filter has a condition other than `search` and `before`.
    var hasChoices: Bool { store != nil || member != nil || category != nil || state != nil || month != nil }

    /// Conditions over receipt `r` and store `s`.
    ///
    /// - Parameter similar: similar names to search for instead of the search words.
    func condition(seenBy reader: Member, similar: [SimilarNames]? = nil) -> SQL {
        let household = reader.household
        var parts: [SQL] = []
        if let store { parts.append("r.store_id = \(store)") }
        if let member { parts.append("r.person_id = \(member)") }
        if let category { parts.append(category.condition(household)) }
        if let month {
            parts.append("(r.purchase_day >= \(month.firstDay) AND r.purchase_day < \(month.next.firstDay))")
        }
        if let similar {
            parts += similar.map { $0.condition(household) }
        } else if !search.isEmpty {
            let pattern = Self.pattern(search)
            // Ignores the sign, because pages show returns and discounts with a minus sign.
            let amount = Currency.allCases.lazy.compactMap { try? Money(parsing: search, currency: $0) }.first
                .map { abs($0.minorUnits) }
            parts.append(
                """
                (s.name ILIKE \(pattern) OR r.printed_store ->> 'name' ILIKE \(pattern) OR abs(\(RollUps.total)) = \(amount)
                OR r.note ILIKE \(pattern)
                OR EXISTS (SELECT 1 FROM receipt_line l
                    WHERE l.household_id = \(household) AND l.receipt_id = r.id
                        AND (l.printed_name ILIKE \(pattern)
                            OR abs(l.total_minor) = \(amount) AND \(StoredReading.isRead))))
                """)
        }
        switch state {
        case .reading: parts.append("r.stage = \(Stage.reading.sql)")
        case .proven, .review, .unreadable:
            parts.append(
                """
                r.stage = \(Stage.review.sql) AND r.verdict = \(state.flatMap { Verdict(rawValue: $0.rawValue) })
                    AND NOT \(Duplicates.condition(seenBy: reader))
                """)
        case .duplicate: parts.append("r.stage = \(Stage.review.sql) AND \(Duplicates.condition(seenBy: reader))")
        case .confirmed: parts.append("r.stage = \(Stage.confirmed.sql)")
        case .discarded, nil: break
        }
        return parts.isEmpty ? "true" : parts.joined(separator: " AND ")
    }

    /// A LIKE pattern that finds `text` anywhere. Spaces and no-break spaces match each other.
    static func pattern(_ text: String) -> String { "%\(escaped(text))%" }

    /// Escapes the wildcards of LIKE.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\%_".contains(character) { result.append("\\") }
            result.append(character.isWhitespace ? "_" : character)
        }
    }

    /// The address of the list with this filter, for receipts before a month.
    func href(before: Month) -> String { href(month, ("before", Self.value(before))) }

    /// The address of one month's receipts with this filter.
    func href(month: Month) -> String { href(month, nil) }

    /// The address of the month's next page when this page shows `count` receipts.
    func href(after count: Int) -> String { href(month, ("after", String(skipped + count))) }

    /// - Parameter position: a name and a value of the query for the place in the list where the page starts.
    private func href(_ month: Month?, _ position: (String, String)?) -> String {
        var pairs: [(String, String)] = []
        if !search.isEmpty { pairs.append(("search", search)) }
        if let store { pairs.append(("store", store.description)) }
        if let member { pairs.append(("member", member.description)) }
        if let category { pairs.append(("category", category.value)) }
        if category?.excludesSubcategories == true { pairs.append(("alone", "1")) }
        if let month { pairs.append(("month", Self.value(month))) }
        if let state { pairs.append(("state", state.rawValue)) }
        if let position { pairs.append(position) }
        return "/receipts?" + pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
    }
}
