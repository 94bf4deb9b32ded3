import Domain
import Postgres

extension BankPair {
    /// The pairs to select.
    enum Scope: Sendable {
        /// Those of the newest lines.
        case newest
        /// Those of lines since a day.
        case since(LocalDate)
        case receipt(ReceiptID)
        /// Those in which an expense is the expense of an import or the other one.
        case expense(ExpenseID)
        /// An expense of an import, and a receipt or an expense.
        case pair(ExpenseID, ExpenseID)
    }

    /// The maximum number of lines that are compared.
    private static let maximumLines: Int32 = 1_000
    private static let maximumPairs: Int32 = 500
    private static let days = Int32(BankMatching.maximumDays)

    /// Selects the possible pairs that the member may see and about which no person has decided, newest first. Both
    /// entries have the same amount, and their days differ by at most `BankMatching.maximumDays`. For each line, reads
    /// the entries of these days.
    ///
    /// A personal expense or a hidden receipt is compared only with lines of the member's own files: other members
    /// would see that the expense of their line is deleted.
    static func query(_ scope: Scope, _ member: Member) -> SQL {
        """
        \(amounts(scope, member))
        SELECT m.expense_id, m.what, m.expense_day, m.has_values, m.day, m.amount_minor, m.currency, m.payee, m.purpose,
            o.id, o.is_receipt, o.day, o.minor, o.currency, o.what, o.payee
        FROM (\(made(scope, member))) m
        CROSS JOIN LATERAL (\(others(scope, member).joined(separator: " UNION ALL "))) o
        WHERE (NOT o.is_private OR m.importer = \(member.person)) AND \(wanted(scope))
            AND CASE WHEN o.is_receipt THEN \(isFree("l.receipt_id = o.id", member))
                ELSE \(isFree("l.expense_id = o.id", member)) END
            AND NOT EXISTS (SELECT 1 FROM bank_pair p WHERE p.household_id = \(member.household)
                AND p.expense_id = m.expense_id AND (p.receipt_id = o.id OR p.other_id = o.id) OFFSET 0)
        ORDER BY m.day DESC, m.expense_id DESC, o.day DESC, o.id LIMIT \(maximumPairs)
        """
    }

    /// Selects the lines for which an import created an expense, unless a person changed the amount of the expense.
    /// The texts of the lines are visible to the person who imported them. For other members, selects those of the
    /// expenses.
    private static func made(_ scope: Scope, _ member: Member) -> SQL {
        let household = member.household
        return """
            SELECT b.day, b.amount_minor, b.currency, b.original_minor, b.original_currency,
                CASE WHEN i.person_id = \(member.person) THEN b.payee ELSE e.payee END AS payee,
                CASE WHEN i.person_id = \(member.person) THEN b.purpose ELSE e.what END AS purpose, b.source_key,
                i.person_id AS importer, e.id AS expense_id, e.kind, e.what, e.day AS expense_day, e.is_personal,
                (e.category_id IS NOT NULL AND e.category_source = \(CategoryDecision.person.rawValue))
                    OR e.labels <> '{}' OR e.split <> '' AS has_values
            FROM bank_booking b
            JOIN bank_import i ON i.household_id = \(household) AND i.id = b.import_id
            CROSS JOIN LATERAL (SELECT * FROM expense e
                WHERE e.household_id = \(household) AND e.id = b.expense_id OFFSET 0) e
            WHERE b.household_id = \(household) AND b.is_made AND \(lines(scope, household))
                AND e.discarded_at IS NULL AND e.amount_minor = abs(b.amount_minor) AND e.currency = b.currency
                AND \(ExpenseVisibility.condition(member))
            ORDER BY b.day DESC, b.id DESC LIMIT \(maximumLines)
            """
    }

    /// A condition on the line `b`.
    private static func lines(_ scope: Scope, _ household: HouseholdID) -> SQL {
        func near(_ day: SQL) -> SQL { "(b.day >= (\(day)) - \(days) AND b.day <= (\(day)) + \(days))" }
        return switch scope {
        case .newest: mayHaveEntry(since: .firstPurchaseDay, household)
        case .since(let day): "b.day >= \(day) AND \(mayHaveEntry(since: day, household))"
        case .receipt(let id):
            near("SELECT x.purchase_day FROM receipt x WHERE x.household_id = \(household) AND x.id = \(id)")
        case .expense(let id): near("SELECT x.day FROM expense x WHERE x.household_id = \(household) AND x.id = \(id)")
        case .pair(let id, _): "b.expense_id = \(id)"
        }
    }

    /// A condition on the line `b`: `amounts` contains its amount in its week, or another import has created an expense
    /// for the same line. Excludes most lines, because the entries of all their days take longer to read. PostgreSQL
    /// reads the subqueries into hash tables, because `IS TRUE` prevents a join.
    private static func mayHaveEntry(since day: LocalDate, _ household: HouseholdID) -> SQL {
        func isFound(_ amount: SQL) -> SQL {
            "((\(amount), \(week("b.day"))) IN (SELECT a.minor, a.week FROM amounts a)) IS TRUE"
        }
        return """
            (\(isFound("abs(b.amount_minor)")) OR b.original_minor IS NOT NULL AND \(isFound("abs(b.original_minor)"))
                OR (b.source_key IN (SELECT l.source_key FROM (SELECT * FROM bank_booking l
                        WHERE l.household_id = \(household) AND l.is_made AND l.day >= \(day)
                        ORDER BY l.day DESC LIMIT \(maximumLines)) l
                    GROUP BY 1 HAVING count(*) > 1)) IS TRUE)
            """
    }

    /// An SQL expression: the number of the week of a day.
    private static func week(_ day: SQL) -> SQL { "((\(day) - \(LocalDate.firstPurchaseDay)) / 7)" }

    /// The table `amounts` for `mayHaveEntry`, with the amounts of entries in any currency; empty for a few lines.
    ///
    /// A row has the number of a week in which the entry can have a line. There are at most two such weeks, because
    /// `BankMatching.maximumDays` before and after a day are seven days in total.
    ///
    /// Leaves out the expenses of imports. They have lines, so they can be paired only with the same line of another
    /// member's file. With them, `amounts` would contain the amount of each line.
    private static func amounts(_ scope: Scope, _ member: Member) -> SQL {
        let household = member.household
        let day: LocalDate
        switch scope {
        case .newest: day = .firstPurchaseDay
        case .since(let first): day = first.adding(days: -BankMatching.maximumDays)
        case .receipt, .expense, .pair: return ""
        }
        let receipts: SQL = """
            receipt r WHERE r.household_id = \(household) AND r.purchase_day >= \(day) AND r.discarded_at IS NULL
                AND r.stage = \(Stage.confirmed.sql)
            """
        // The stated amounts are looked up for each receipt. With a join, the planner can read all expenses.
        return """
            WITH amounts AS MATERIALIZED (
                SELECT v.minor, w.week
                FROM (SELECT e.day, x.minor FROM expense e
                    CROSS JOIN LATERAL (VALUES (e.amount_minor), (e.stated_minor)) x (minor)
                    WHERE e.household_id = \(household) AND e.day >= \(day) AND e.discarded_at IS NULL
                        AND e.source <> 'bank'
                    UNION ALL SELECT r.purchase_day, abs(\(RollUps.total)) FROM \(receipts)
                    UNION ALL SELECT r.purchase_day, (SELECT x.stated_minor FROM expense x
                        WHERE x.household_id = \(household) AND x.receipt_id = r.id)
                    FROM \(receipts) AND r.currency <> (SELECT h.currency FROM household h WHERE h.id = \(household))) v
                CROSS JOIN LATERAL (VALUES (\(week("v.day - \(days)"))), (\(week("v.day + \(days)")))) w (week)
                WHERE v.minor IS NOT NULL)
            """
    }

    /// A condition on the line `m` and the other entry `o`.
    private static func wanted(_ scope: Scope) -> SQL {
        switch scope {
        case .newest, .since: "true"
        case .receipt(let id): "o.id = \(id)"
        case .expense(let id): "(m.expense_id = \(id) OR o.id = \(id))"
        case .pair(_, let other): "o.id = \(other)"
        }
    }

    /// Selects the expenses and the receipts that have the amount of the line `m`. Amounts are negative when money was
    /// spent. The order makes the planner use the indexes by day.
    private static func others(_ scope: Scope, _ member: Member) -> [SQL] {
        let household = member.household
        let expenses: SQL = """
            (SELECT e.id, false AS is_receipt, e.day, t.sign * e.amount_minor AS minor, e.currency, e.what, e.payee,
                e.is_personal AS is_private
            FROM expense e
            CROSS JOIN LATERAL (SELECT CASE WHEN e.kind IN ('expense', 'withdrawal') THEN -1 ELSE 1 END AS sign) t
            WHERE e.household_id = \(household) AND e.day >= m.day - \(days) AND e.day <= m.day + \(days)
                AND e.discarded_at IS NULL AND e.id <> m.expense_id AND (e.kind = 'withdrawal') = (m.kind = 'withdrawal')
                AND (\(hasAmount("t.sign * e.amount_minor", "e.currency"))
                    OR t.sign * e.stated_minor = m.amount_minor AND e.stated_currency = m.currency)
                AND \(ExpenseVisibility.condition(member))
            ORDER BY e.day DESC, e.id DESC LIMIT \(maximumPairs))
            """
        // The store and the stated amount are read only for the few receipts that need them.
        let receipts: SQL = """
            (SELECT r.id, true AS is_receipt, r.purchase_day AS day, -\(RollUps.total) AS minor, r.currency,
                coalesce((SELECT s.name FROM store s WHERE s.household_id = \(household) AND s.id = r.store_id),
                    r.printed_store ->> 'name', '') AS what, '' AS payee, NOT \(Visibility.isPublished()) AS is_private
            FROM receipt r
            WHERE r.household_id = \(household) AND r.purchase_day >= m.day - \(days) AND r.purchase_day <= m.day + \(days)
                AND r.discarded_at IS NULL AND r.stage = \(Stage.confirmed.sql) AND m.kind <> 'withdrawal'
                AND (\(hasAmount("-\(RollUps.total)", "r.currency"))
                    OR r.currency <> m.currency AND EXISTS (SELECT 1 FROM expense x WHERE x.household_id = \(household)
                        AND x.receipt_id = r.id AND x.stated_minor = -m.amount_minor AND x.stated_currency = m.currency))
                AND \(Visibility.condition(member))
            ORDER BY r.purchase_day DESC, r.id DESC LIMIT \(maximumPairs))
            """
        if case .receipt = scope { return [receipts] }
        return [expenses, receipts]
    }

    /// A condition: an amount is that of the line `m`, in the currency of the account or of the payment.
    private static func hasAmount(_ minorUnits: SQL, _ currency: SQL) -> SQL {
        """
        (\(minorUnits) = m.amount_minor AND \(currency) = m.currency
            OR \(minorUnits) = m.original_minor AND \(currency) = m.original_currency)
        """
    }

    /// A condition: no line is linked with the entry `o`.
    ///
    /// Another member's file can contain the same line, if that member could not see the entry or the member's own
    /// expense. Such a line does not count.
    private static func isFree(_ link: SQL, _ member: Member) -> SQL {
        """
        NOT EXISTS (SELECT 1 FROM bank_booking l
            JOIN bank_import li ON li.household_id = \(member.household) AND li.id = l.import_id
            WHERE l.household_id = \(member.household) AND \(link)
                AND NOT (l.source_key = m.source_key AND li.person_id <> m.importer AND (m.is_personal OR NOT l.is_made)))
        """
    }
}
