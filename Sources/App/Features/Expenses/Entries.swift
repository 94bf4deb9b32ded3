import Domain
import Postgres

/// A query that returns expenses without a receipt and confirmed receipts with the same columns.
enum Entries {
    /// A table expression, which the query must call `n`, with the columns `id`, `is_receipt`, `kind`, `what`,
    /// `amount_minor`, `currency`, `home_minor` (NULL if no exchange rate is known), `day`, `payee`, `categories`
    /// (those of a receipt's items; the one with the largest total is the first), `assigned_id` (the category that was
    /// chosen for the entry), `paid_by`, `labels`, `note`, `is_personal`, `split`, `revision`.
    ///
    /// - Parameters:
    ///   - expenses: a condition on `e`, an expense without a receipt.
    ///   - receipts: a condition on the receipt `r`, its store `s` and its expense `e`; nil to exclude receipts.
    ///   - receiptAmount: an expression for the amount of a receipt.
    ///   - limit: the maximum number of expenses, and the maximum number of receipts. The newest are selected.
    ///   - isOldestFirst: whether the oldest are selected instead.
    static func source(
        _ member: Member, expenses: SQL, receipts: SQL?, receiptAmount: SQL = RollUps.total, limit: Int32,
        isOldestFirst: Bool = false
    ) -> SQL {
        let household = member.household
        let (expenseOrder, receiptOrder): (SQL, SQL) =
            isOldestFirst
            ? ("e.day, e.id", "r.purchase_day, r.id") : ("e.day DESC, e.id DESC", "r.purchase_day DESC, r.id DESC")
        let withoutReceipt: SQL = """
            (SELECT e.id, false AS is_receipt, e.kind, e.what, e.amount_minor, e.currency, \(HomeAmount.of("e")) AS home_minor,
                e.day, e.payee, ARRAY[e.category_id] AS categories, e.category_id AS assigned_id, e.paid_by, e.labels,
                e.note, e.is_personal, e.split, e.revision
            FROM expense e JOIN household h ON h.id = \(household)
            WHERE e.household_id = \(household) AND e.day IS NOT NULL AND e.discarded_at IS NULL
                AND \(ExpenseVisibility.condition(member)) AND \(expenses)
            ORDER BY \(expenseOrder) LIMIT \(limit))
            """
        guard let receipts else { return withoutReceipt }
        return """
            (\(withoutReceipt) UNION ALL
            (SELECT r.id, true, 'expense', coalesce(s.name, r.printed_store ->> 'name', ''), part.amount,
                r.currency, (SELECT \(HomeAmount.converted("part.amount")) FROM \(HomeAmount.factor) f), r.purchase_day,
                coalesce(s.name, ''),
                coalesce(nullif(\(categories(household, of: "e.category_id")), '{}'), ARRAY[e.category_id]), e.category_id,
                coalesce(e.paid_by, r.person_id), coalesce(e.labels, '{}'),
                coalesce(nullif(e.note, ''), r.note), coalesce(r.hidden_until > \(WallClock.today()), false),
                coalesce(e.split, ''), coalesce(e.revision, 0)
            FROM receipt r JOIN household h ON h.id = \(household)
            LEFT JOIN store s ON s.household_id = r.household_id AND s.id = r.store_id
            LEFT JOIN expense e ON e.household_id = r.household_id AND e.receipt_id = r.id
            CROSS JOIN LATERAL (SELECT coalesce(\(receiptAmount), 0)::bigint AS amount) part
            WHERE r.household_id = \(household) AND r.stage = \(Stage.confirmed.sql) AND r.discarded_at IS NULL
                AND r.purchase_day IS NOT NULL AND \(Visibility.condition(member)) AND \(receipts)
            ORDER BY \(receiptOrder) LIMIT \(limit)))
            """
    }

    /// An SQL expression: the category whose items have the largest total on receipt `r`.
    static func mainCategory(_ household: HouseholdID) -> SQL { "(\(categories(household, of: "NULL::uuid")))[1]" }

    /// An SQL expression: the categories of the items of receipt `r`, in the order of their totals. It contains NULL if
    /// items have no category. `kind` is compared outside the subquery, because inside it the planner would use a
    /// partial index over all items of the household.
    ///
    /// - Parameter receipt: the category of the receipt, which applies to items without one of their own.
    private static func categories(_ household: HouseholdID, of receipt: SQL) -> SQL {
        """
        ARRAY(SELECT coalesce(l.category_id, d.category_id, \(receipt)) FROM (SELECT * FROM receipt_line a
                WHERE a.household_id = \(household) AND a.receipt_id = r.id OFFSET 0) l
            LEFT JOIN product d ON d.household_id = \(household) AND d.id = l.product_id
            WHERE l.kind = 'item' GROUP BY 1 ORDER BY sum(l.total_minor) DESC, 1)
        """
    }
}

/// A row of `Entries.source`.
struct Entry: RowDecodable, Sendable {
    let id: ExpenseID
    let isReceipt: Bool
    let kind: ExpenseKind
    /// Empty for a receipt without a store.
    var what: String
    let amount: Amount
    /// The amount in minor units of the household's currency; nil if no exchange rate is known.
    let home: Int64?
    let day: LocalDate
    let payee: String
    /// For a receipt, the category of the items with the largest total.
    let category: CategoryID?
    /// The categories of a receipt's items, the one with the largest total first. Items without a category are ignored.
    let categories: [CategoryID]
    /// The category that a person or a rule chose. On a receipt, it applies to lines without one of their own.
    let assignedCategory: CategoryID?
    let paidBy: PersonID?
    let labels: [String]
    let note: String
    let isPersonal: Bool
    /// A raw value of `SplitMethod`; empty for no split.
    let split: String
    /// For a receipt, the revision of its row in `expense`; 0 without a row.
    let revision: Int64

    static let columns: SQL = """
        n.id, n.is_receipt, n.kind, n.what, n.amount_minor, n.currency, n.home_minor, n.day, n.payee, n.categories[1],
            array_remove(n.categories, NULL), n.assigned_id, n.paid_by, n.labels, n.note, n.is_personal,
            n.split, n.revision
        """

    init(from row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        isReceipt = try row.next()
        kind = try row.next()
        what = try row.next()
        let minorUnits: Int64 = try row.next()
        let code: String = try row.next()
        amount = Amount(minorUnits: minorUnits, currency: CurrencyCode(code) ?? .eur)
        home = try row.next()
        day = try row.next()
        payee = try row.next()
        category = try row.next()
        categories = try row.next()
        assignedCategory = try row.next()
        paidBy = try row.next()
        labels = try row.next()
        note = try row.next()
        isPersonal = try row.next()
        split = try row.next()
        revision = try row.next()
    }

    /// Whether the money left the household.
    var isOutflow: Bool { kind == .expense || kind == .withdrawal }

    /// The amount with a sign: negative for spent and withdrawn money.
    var signedAmount: Amount {
        Amount(minorUnits: isOutflow ? -amount.minorUnits : amount.minorUnits, currency: amount.currency)
    }

    /// The category that can be changed, and whose default split is proposed: the assigned category takes precedence
    /// over the categories of a receipt's items.
    var ownCategory: CategoryID? { assignedCategory ?? category }

    var href: String { isReceipt ? "/receipts/\(id)" : "/expenses/\(id)" }
}
