import Postgres

/// What the change log knows: the documents that sync and merging see.
package enum DocumentType: String, Sendable, CaseIterable {
    case receipt
    case store
    case category
    case product
    case alias
    case comparisonGroup = "comparison_group"
    case ignoredName = "ignored_name"

    /// The documents of `ids` as they stand now: columns id, revision, body.
    ///
    /// The body is the row, with its parts inside: a receipt with lines, pages and files, a product with packages.
    func bodies(_ household: PostgresUUID, _ ids: [PostgresUUID]) -> SQL {
        switch self {
        case .receipt:
            """
            SELECT d.id, d.revision, to_jsonb(d) || jsonb_build_object(
                'lines', (SELECT coalesce(jsonb_agg(to_jsonb(l) ORDER BY l.position), '[]') FROM receipt_line l
                    WHERE l.household_id = d.household_id AND l.receipt_id = d.id),
                'pages', (SELECT coalesce(jsonb_agg(to_jsonb(p) - 'words' ORDER BY p.n), '[]') FROM receipt_page p
                    WHERE p.household_id = d.household_id AND p.receipt_id = d.id)) AS body
            FROM receipt d WHERE d.household_id = \(household) AND d.id = ANY(\(ids))
            """
        case .product:
            """
            SELECT d.id, d.revision, to_jsonb(d) || jsonb_build_object(
                'packages', (SELECT coalesce(jsonb_agg(to_jsonb(p) ORDER BY p.valid_from), '[]') FROM product_package p
                    WHERE p.household_id = d.household_id AND p.product_id = d.id)) AS body
            FROM product d WHERE d.household_id = \(household) AND d.id = ANY(\(ids))
            """
        case .store:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM store d
            WHERE d.household_id = \(household) AND d.id = ANY(\(ids))
            """
        case .category:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM category d
            WHERE d.household_id = \(household) AND d.id = ANY(\(ids))
            """
        case .alias:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM product_alias d
            WHERE d.household_id = \(household) AND d.id = ANY(\(ids))
            """
        case .comparisonGroup:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM comparison_group d
            WHERE d.household_id = \(household) AND d.id = ANY(\(ids))
            """
        case .ignoredName:
            """
            SELECT d.id, d.revision, to_jsonb(d) AS body FROM ignored_name d
            WHERE d.household_id = \(household) AND d.id = ANY(\(ids))
            """
        }
    }
}
