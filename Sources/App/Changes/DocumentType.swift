import Postgres

/// The types of documents in the change log.
package enum DocumentType: String, Sendable, CaseIterable {
    case receipt
    case store
    case category
    case product
    case alias
    case comparisonGroup = "comparison_group"
    case ignoredName = "ignored_name"
    /// An uploaded file with its pictures; the row is in `receipt_file`.
    case image
    /// A person's preferences; the row's id is the person's.
    case preferences
    case expense
    case settlement
    case budget
    /// A wine with its scores, members' marks and printed names.
    case wine
    case wineBottle = "wine_bottle"
    case wineScan = "wine_scan"
    /// All wines of a household, logged after an import; the row's id is the household's.
    case wineCatalogue = "wine_catalogue"
    case expenseRule = "expense_rule"
    case recurringExpense = "recurring_expense"
    case savingsGoal = "savings_goal"
    case exchangeRate = "exchange_rate"
    /// An imported bank file with its bookings; the row is in `bank_import`.
    case bankFile = "bank_file"

    /// Selects the current documents with these identifiers: columns id, revision, body.
    ///
    /// The body is the row with its parts, such as a receipt with its lines and pages. A personal expense
    /// (`is_personal`) is visible only to the person in `person_id`. The same applies to the expense of a hidden
    /// receipt.
    ///
    /// Parts are joined, not selected by subqueries: after an import the planner still assumes an empty table and would
    /// scan the whole table for each document.
    func bodies(_ household: PostgresUUID, _ ids: [PostgresUUID]) -> SQL {
        switch self {
        case .receipt:
            """
            SELECT d.id, d.revision, to_jsonb(d) - 'joined' || jsonb_build_object('store_name', s.name,
                'lines', coalesce(l.lines, '[]'), 'pages', coalesce(p.pages, '[]'),
                'files', coalesce(f.files, '[]')) AS body
            FROM \(rows("receipt", household, ids))
            LEFT JOIN store s ON s.household_id = \(household) AND s.id = d.store_id
            LEFT JOIN (
                SELECT f.receipt_id, jsonb_agg(f.id ORDER BY f.position, f.id) AS files
                FROM unnest(\(ids)) AS n (id)
                JOIN receipt_file f ON f.household_id = \(household) AND f.receipt_id = n.id
                GROUP BY f.receipt_id) f ON f.receipt_id = d.id
            LEFT JOIN (
                SELECT l.receipt_id, jsonb_agg(to_jsonb(l) ORDER BY l.position) AS lines
                FROM unnest(\(ids)) AS n (id)
                JOIN receipt_line l ON l.household_id = \(household) AND l.receipt_id = n.id
                GROUP BY l.receipt_id) l ON l.receipt_id = d.id
            LEFT JOIN (
                SELECT p.receipt_id, jsonb_agg(to_jsonb(p) - 'words' ORDER BY p.n) AS pages
                FROM unnest(\(ids)) AS n (id)
                JOIN receipt_page p ON p.household_id = \(household) AND p.receipt_id = n.id
                GROUP BY p.receipt_id) p ON p.receipt_id = d.id
            """
        case .product:
            """
            SELECT d.id, d.revision, to_jsonb(d) || jsonb_build_object('packages', coalesce(k.packages, '[]')) AS body
            FROM \(rows("product", household, ids))
            LEFT JOIN (
                SELECT p.product_id, jsonb_agg(to_jsonb(p) ORDER BY p.valid_from) AS packages
                FROM unnest(\(ids)) AS n (id)
                JOIN product_package p ON p.household_id = \(household) AND p.product_id = n.id
                GROUP BY p.product_id) k ON k.product_id = d.id
            """
        case .expense:
            """
            SELECT d.id, d.revision, to_jsonb(d) || jsonb_build_object('shares', coalesce(s.shares, '[]'))
                || CASE WHEN x.taken IS NOT NULL THEN jsonb_build_object('taken', x.taken) ELSE '{}' END
                || CASE WHEN r.hidden_until > \(WallClock.today())
                    THEN jsonb_build_object('is_personal', true, 'person_id', r.person_id) ELSE '{}' END AS body
            FROM \(rows("expense", household, ids))
            LEFT JOIN receipt r ON r.household_id = \(household) AND r.id = d.receipt_id
            LEFT JOIN (
                SELECT s.expense_id, jsonb_agg(to_jsonb(s) ORDER BY s.person_id) AS shares
                FROM unnest(\(ids)) AS n (id)
                JOIN expense_share s ON s.household_id = \(household) AND s.expense_id = n.id
                GROUP BY s.expense_id) s ON s.expense_id = d.id
            LEFT JOIN (
                SELECT x.expense_id, jsonb_agg(jsonb_build_object('line_id', x.line_id, 'person_id', x.person_id)
                    ORDER BY x.line_id) AS taken
                FROM unnest(\(ids)) AS n (id)
                JOIN expense_line x ON x.household_id = \(household) AND x.expense_id = n.id
                GROUP BY x.expense_id) x ON x.expense_id = d.id
            """
        case .settlement:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("settlement", household, ids))
            """
        case .budget:
            """
            SELECT d.id, d.revision, to_jsonb(d) || jsonb_build_object('limits', coalesce(l.limits, '[]')) AS body
            FROM \(rows("budget", household, ids))
            LEFT JOIN (
                SELECT l.budget_id, jsonb_agg(to_jsonb(l) ORDER BY l.valid_from) AS limits
                FROM unnest(\(ids)) AS n (id)
                JOIN budget_limit l ON l.household_id = \(household) AND l.budget_id = n.id
                GROUP BY l.budget_id) l ON l.budget_id = d.id
            """
        case .wine:
            """
            SELECT d.id, d.revision, to_jsonb(d) || jsonb_build_object('scores', coalesce(s.scores, '[]'),
                'marks', coalesce(m.marks, '[]'), 'aliases', coalesce(a.aliases, '[]')) AS body
            FROM \(rows("wine", household, ids))
            LEFT JOIN (
                SELECT s.wine_id, jsonb_agg(to_jsonb(s) ORDER BY s.critic) AS scores
                FROM unnest(\(ids)) AS n (id)
                JOIN wine_score s ON s.household_id = \(household) AND s.wine_id = n.id
                GROUP BY s.wine_id) s ON s.wine_id = d.id
            LEFT JOIN (
                SELECT m.wine_id, jsonb_agg(to_jsonb(m) ORDER BY m.person_id) AS marks
                FROM unnest(\(ids)) AS n (id)
                JOIN wine_mark m ON m.household_id = \(household) AND m.wine_id = n.id
                GROUP BY m.wine_id) m ON m.wine_id = d.id
            LEFT JOIN (
                SELECT a.wine_id, jsonb_agg(to_jsonb(a) ORDER BY a.id) AS aliases
                FROM unnest(\(ids)) AS n (id)
                JOIN wine_alias a ON a.household_id = \(household) AND a.wine_id = n.id
                GROUP BY a.wine_id) a ON a.wine_id = d.id
            """
        case .wineBottle:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("wine_bottle", household, ids))
            """
        case .wineScan:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("wine_scan", household, ids))
            """
        case .wineCatalogue:
            """
            SELECT d.household_id AS id, d.revision, to_jsonb(d) AS body FROM wine_catalogue d
            WHERE d.household_id = \(household) AND d.household_id = ANY(\(ids))
            """
        case .expenseRule:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("expense_rule", household, ids))
            """
        case .recurringExpense:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("recurring_expense", household, ids))
            """
        case .savingsGoal:
            """
            SELECT d.id, d.revision, to_jsonb(d) || jsonb_build_object('deposits', coalesce(s.deposits, '[]')) AS body
            FROM \(rows("savings_goal", household, ids))
            LEFT JOIN (
                SELECT s.goal_id, jsonb_agg(to_jsonb(s) ORDER BY s.day, s.id) AS deposits
                FROM unnest(\(ids)) AS n (id)
                JOIN savings_deposit s ON s.household_id = \(household) AND s.goal_id = n.id
                GROUP BY s.goal_id) s ON s.goal_id = d.id
            """
        case .exchangeRate:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("exchange_rate", household, ids))
            """
        case .bankFile:
            """
            SELECT d.id, d.revision, to_jsonb(d) - '{content,line_count}'::text[]
                || jsonb_build_object('bookings', coalesce(b.bookings, '[]')) AS body
            FROM \(rows("bank_import", household, ids))
            LEFT JOIN (
                SELECT b.import_id, jsonb_agg(to_jsonb(b) ORDER BY b.day, b.id) AS bookings
                FROM unnest(\(ids)) AS n (id)
                JOIN bank_booking b ON b.household_id = \(household) AND b.import_id = n.id
                GROUP BY b.import_id) b ON b.import_id = d.id
            """
        case .store:
            """
            SELECT d.id, d.revision, to_jsonb(d) - '{former_names,former_places}'::text[] AS body
            FROM \(rows("store", household, ids))
            """
        case .category:
            """
            SELECT d.id, d.revision, to_jsonb(d)
                || CASE WHEN s.shares IS NOT NULL THEN jsonb_build_object('shares', s.shares) ELSE '{}' END AS body
            FROM \(rows("category", household, ids))
            LEFT JOIN (
                SELECT s.category_id, jsonb_agg(to_jsonb(s) ORDER BY s.person_id) AS shares
                FROM unnest(\(ids)) AS n (id)
                JOIN category_share s ON s.household_id = \(household) AND s.category_id = n.id
                GROUP BY s.category_id) s ON s.category_id = d.id
            """
        case .alias:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("product_alias", household, ids))
            """
        case .comparisonGroup:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("comparison_group", household, ids))
            """
        case .ignoredName:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("ignored_name", household, ids))
            """
        case .preferences:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM \(rows("preferences", household, ids))
            """
        case .image:
            // A file has no revision column. Its revision is computed from its sync document.
            """
            SELECT d.id, coalesce(s.generation, 0) + 1 AS revision, to_jsonb(d) - 'digest' || jsonb_build_object(
                'person_id', \(ImageSource.person), 'hidden_until', r.hidden_until,
                'attachments', coalesce(a.attachments, '{}'),
                'source', \(ImageSource.digest)) AS body
            FROM \(rows("receipt_file", household, ids))
            LEFT JOIN receipt r ON r.household_id = \(household) AND r.id = d.receipt_id
            LEFT JOIN sync_document s ON s.household_id = \(household) AND s.document_type = 'image' AND s.document_id = d.id
            LEFT JOIN LATERAL (\(ImageSource.attachments(household))) a ON true
            """
        }
    }

    /// Selects the rows of a table with these identifiers, as `d`. `OFFSET 0` makes the planner look up each row by its
    /// key, even if it estimates few rows.
    private func rows(_ table: SQL, _ household: PostgresUUID, _ ids: [PostgresUUID]) -> SQL {
        """
        unnest(\(ids)) AS n (id)
        CROSS JOIN LATERAL (SELECT * FROM \(table) d WHERE d.household_id = \(household) AND d.id = n.id OFFSET 0) d
        """
    }
}
