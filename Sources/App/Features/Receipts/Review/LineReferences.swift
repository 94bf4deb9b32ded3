import Domain
import Postgres

/// Statements for the products of corrected lines, and for the items to which discounts belong.
enum LineReferences {
    /// Detaches lines from products that do not belong to the store's chain, because a printed name can mean different
    /// products in different chains. `PriceHistory.update` matches the lines again.
    static func forgettingProducts(
        of receipt: ReceiptID, outsideTheChainOf store: StoreID?, _ household: HouseholdID
    ) -> SQL {
        """
        UPDATE receipt_line l SET product_id = NULL FROM product d
        WHERE l.household_id = \(household) AND l.receipt_id = \(receipt) AND d.household_id = l.household_id
            AND d.id = l.product_id AND NOT EXISTS (SELECT 1 FROM store s
                WHERE s.household_id = l.household_id AND s.id = \(store) AND s.chain = d.chain)
        """
    }

    /// Assigns each discount among `lines` to the item above it. Removes the assignment of all lines that are not
    /// discounts.
    ///
    /// - Parameter lines: discounts that a person entered or moved, and lines that became discounts or are no longer
    ///   discounts.
    static func assigningDiscounts(_ lines: [ReceiptLineID], of receipt: ReceiptID, _ household: HouseholdID) -> SQL {
        """
        UPDATE receipt_line l SET bound_line_id = CASE WHEN l.kind = 'discount' THEN (SELECT i.id FROM receipt_line i
            WHERE i.household_id = l.household_id AND i.receipt_id = l.receipt_id AND i.kind = 'item'
                AND i.position < l.position ORDER BY i.position DESC LIMIT 1) END
        WHERE l.household_id = \(household) AND l.receipt_id = \(receipt)
            AND (l.id = ANY(\(lines)) OR l.kind <> 'discount' AND l.bound_line_id IS NOT NULL)
        """
    }
}
