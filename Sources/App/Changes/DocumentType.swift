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

    /// The current documents of `ids`: columns id, revision, body.
    ///
    /// Uses joins instead of subqueries: after an import the planner still believes the table empty, and would scan all of it for
    /// each document. The body is the row with its parts: a receipt with lines and pages, a product with packages.
    func bodies(_ household: PostgresUUID, _ ids: [PostgresUUID]) -> SQL {
        switch self {
        case .receipt:
            """
            SELECT d.id, d.revision, to_jsonb(d) - 'joined' || jsonb_build_object(
                'lines', coalesce(l.lines, '[]'), 'pages', coalesce(p.pages, '[]')) AS body
            FROM unnest(\(ids)) AS n (id)
            JOIN receipt d ON d.household_id = \(household) AND d.id = n.id
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
            FROM unnest(\(ids)) AS n (id)
            JOIN product d ON d.household_id = \(household) AND d.id = n.id
            LEFT JOIN (
                SELECT p.product_id, jsonb_agg(to_jsonb(p) ORDER BY p.valid_from) AS packages
                FROM unnest(\(ids)) AS n (id)
                JOIN product_package p ON p.household_id = \(household) AND p.product_id = n.id
                GROUP BY p.product_id) k ON k.product_id = d.id
            """
        case .store:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM unnest(\(ids)) AS n (id)
            JOIN store d ON d.household_id = \(household) AND d.id = n.id
            """
        case .category:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM unnest(\(ids)) AS n (id)
            JOIN category d ON d.household_id = \(household) AND d.id = n.id
            """
        case .alias:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM unnest(\(ids)) AS n (id)
            JOIN product_alias d ON d.household_id = \(household) AND d.id = n.id
            """
        case .comparisonGroup:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM unnest(\(ids)) AS n (id)
            JOIN comparison_group d ON d.household_id = \(household) AND d.id = n.id
            """
        case .ignoredName:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM unnest(\(ids)) AS n (id)
            JOIN ignored_name d ON d.household_id = \(household) AND d.id = n.id
            """
        }
    }
}
