import Domain
import Postgres

extension RollUps {
    /// The joins that `category` needs for a line `l`.
    ///
    /// Compares with the household as a value: without statistics, a join on `l.household_id` can make the planner read
    /// all products of the household for each line.
    static func categorySource(_ household: HouseholdID) -> SQL {
        """
        LEFT JOIN product d ON d.household_id = \(household) AND d.id = l.product_id
        LEFT JOIN receipt_line bl ON bl.household_id = \(household) AND bl.id = l.bound_line_id AND l.kind = 'discount'
        LEFT JOIN product bd ON bd.household_id = \(household) AND bd.id = bl.product_id
        """
    }

    /// Like `categorySource`, for writes: finds each row by its key, even if a table has no statistics. `OFFSET 0`
    /// keeps the planner from reading all products of the household.
    static func categoryLookup(_ household: HouseholdID) -> SQL {
        """
        LEFT JOIN LATERAL (SELECT * FROM product d
            WHERE d.household_id = \(household) AND d.id = l.product_id OFFSET 0) d ON true
        LEFT JOIN LATERAL (SELECT * FROM receipt_line b
            WHERE b.household_id = \(household) AND b.id = l.bound_line_id AND l.kind = 'discount' OFFSET 0) bl ON true
        LEFT JOIN LATERAL (SELECT * FROM product d
            WHERE d.household_id = \(household) AND d.id = bl.product_id OFFSET 0) bd ON true
        """
    }

    /// The join that `receiptCategory` needs for a receipt `r`: its row `e` in `expense`, found by its key. The row
    /// also counts if a sync client has marked it as deleted, until it is removed.
    static func receiptExpense(_ household: HouseholdID) -> SQL {
        """
        LEFT JOIN LATERAL (SELECT x.category_id, x.paid_by FROM expense x
            WHERE x.household_id = \(household) AND x.receipt_id = r.id OFFSET 0) e ON true
        """
    }

    /// The category in which a line `l` counts: its `category`, or the category of its receipt if it has none. The nil
    /// identifier if both have none. All sums and lists by category use this rule.
    static func spentCategory(_ household: HouseholdID) -> SQL {
        "coalesce(\(category(household)), \(receiptCategory))"
    }

    /// The category of a receipt with the row `e` in `expense`. The difference between the receipt's total and its
    /// lines counts in this category. The nil identifier if the receipt has no category.
    static let receiptCategory: SQL = "coalesce(e.category_id, \(ExpenseSums.none))"

    /// The category of a line `l` with the product `d`, regardless of its receipt. For a discount, `bl` is the
    /// discounted item and `bd` its product. NULL when there is none.
    static func category(_ household: HouseholdID) -> SQL { "coalesce(l.category_id, \(usualCategory(household)))" }

    /// Like `category`, but for a line `l` without a category of its own.
    static func usualCategory(_ household: HouseholdID) -> SQL {
        """
        coalesce(d.category_id, bl.category_id, bd.category_id,
            CASE WHEN l.kind IN ('deposit', 'deposit_return') THEN (SELECT c.id FROM category c
                WHERE c.household_id = \(household) AND c.key = 'deposit' ORDER BY c.id LIMIT 1) END)
        """
    }
}
