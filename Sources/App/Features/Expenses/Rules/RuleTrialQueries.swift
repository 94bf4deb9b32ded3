import Domain
import Postgres

/// The queries of `RuleTrial`.
enum RuleTrialQueries {
    struct Text: Sendable {
        let what: String
        let payee: String
        /// Whether the household chose a category for this text before.
        let isLearned: Bool
    }

    /// Selects each text once, because many expenses have the same text. The text of a receipt is its store.
    static func texts(_ values: StoredRule.Values, _ member: Member) -> SQL {
        """
        SELECT DISTINCT e.what COLLATE "C", e.payee COLLATE "C"
        FROM expense e JOIN household h ON h.id = \(member.household)
        WHERE \(expenses(member)) AND \(isWithin(values, HomeAmount.of("e")))
        UNION
        SELECT DISTINCT \(store), \(store) FROM \(receipts(member))
        WHERE \(isConfirmed(member)) AND \(isWithin(values, HomeAmount.magnitude))
        """
    }

    /// Selects the expenses and receipts with these texts that the rule would change, newest first.
    static func changes(_ texts: [Text], _ values: StoredRule.Values, _ member: Member) -> SQL {
        let text: SQL = """
            unnest(\(texts.map(\.what))::text[], \(texts.map(\.payee))::text[], \(texts.map(\.isLearned))::boolean[])
                AS t (what, payee, is_learned)
            """
        let setsCategory: SQL = """
            \(values.category)::uuid IS NOT NULL AND NOT t.is_learned AND coalesce(e.category_source, '') <> 'person'
                AND e.category_id IS DISTINCT FROM \(values.category)
            """
        let labelsAndSplit: SQL = """
            ARRAY(SELECT k FROM unnest(\(values.labels)::text[]) AS k WHERE NOT k = ANY(coalesce(e.labels, '{}')))
                AS new_labels, cardinality(\(values.people)::uuid[]) > 0 AND coalesce(e.split, '') = ''
            """
        // The category by lines is computed only for the rows that the page shows.
        return """
            SELECT r.id, x.is_receipt, x.what, x.payee, x.day, x.revision, CASE WHEN x.is_receipt AND x.category_id IS NULL
                    AND row_number() OVER (ORDER BY x.day DESC, x.id DESC) <= \(Int32(RuleTrial.maximumShown))
                THEN \(Entries.mainCategory(member.household)) ELSE x.category_id END, x.sets_category, x.new_labels, x.splits, x.home_minor
            FROM (
                SELECT e.id, false AS is_receipt, e.what, e.payee, e.day, e.revision, e.category_id,
                    \(setsCategory) AS sets_category, \(labelsAndSplit)
                    AND NOT e.is_personal AND e.kind <> 'withdrawal' AS splits, \(HomeAmount.of("e")) AS home_minor
                FROM expense e JOIN household h ON h.id = \(member.household)
                JOIN \(text) ON t.what = e.what COLLATE "C" AND t.payee = e.payee COLLATE "C"
                WHERE \(expenses(member)) AND \(isWithin(values, HomeAmount.of("e")))
                UNION ALL
                SELECT r.id, true, t.what, t.payee, r.purchase_day, coalesce(e.revision, 0), e.category_id,
                    \(setsCategory) AND NOT \(hasOnly(values.category, member)), \(labelsAndSplit)
                    AND \(Visibility.isPublished()), \(HomeAmount.magnitude)
                FROM \(receipts(member))
                JOIN \(text) ON t.what = \(store) AND t.payee = t.what
                WHERE \(isConfirmed(member)) AND \(isWithin(values, HomeAmount.magnitude))) x
            CROSS JOIN LATERAL (SELECT x.id) r
            WHERE x.sets_category OR cardinality(x.new_labels) > 0 OR x.splits
            ORDER BY x.day DESC, x.id DESC LIMIT \(Int32(RuleTrial.maximumChanges))
            """
    }

    /// Whether receipt `r` has no category of its own, and all its lines are in the category and add up to its total. A
    /// rule would then not change its sums.
    private static func hasOnly(_ category: CategoryID?, _ member: Member) -> SQL {
        let lines: SQL = "FROM receipt_line l"
        let ofReceipt: SQL = "WHERE l.household_id = \(member.household) AND l.receipt_id = r.id"
        return """
            (e.category_id IS NULL AND NOT EXISTS (SELECT 1 \(lines) \(RollUps.categorySource(member.household)) \(ofReceipt)
                    AND \(RollUps.category(member.household)) IS DISTINCT FROM \(category))
                AND coalesce(r.total_minor = (SELECT sum(l.total_minor) \(lines) \(ofReceipt)), false))
            """
    }

    /// A condition on the expense `e`.
    private static func expenses(_ member: Member) -> SQL {
        """
        e.household_id = \(member.household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
            AND \(ExpenseVisibility.condition(member))
        """
    }

    /// A join of receipts `r`, the household `h`, the stores `s` and the rows `e` of `expense`.
    private static func receipts(_ member: Member) -> SQL {
        """
        receipt r JOIN household h ON h.id = \(member.household)
        LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
        LEFT JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
        """
    }

    /// A condition on the receipt `r` and its row `e`.
    private static func isConfirmed(_ member: Member) -> SQL {
        """
        r.household_id = \(member.household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
            AND r.purchase_day IS NOT NULL AND e.discarded_at IS NULL AND \(Visibility.condition(member))
        """
    }

    private static let store: SQL = "coalesce(s.name, r.printed_store ->> 'name', '') COLLATE \"C\""

    private static func isWithin(_ values: StoredRule.Values, _ amount: SQL) -> SQL {
        let isAboveMinimum: SQL = values.minimumAmount.map { "\(amount) >= \($0)" } ?? "true"
        let isBelowMaximum: SQL = values.maximumAmount.map { "\(amount) <= \($0)" } ?? "true"
        return "(\(isAboveMinimum) AND \(isBelowMaximum))"
    }
}
