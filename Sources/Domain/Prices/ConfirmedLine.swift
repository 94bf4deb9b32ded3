/// The fields of a confirmed line from which prices are derived.
package struct ConfirmedLine: Sendable {
    package let id: ReceiptLineID
    package let kind: LineKind
    /// Nil while the name is not matched to a product. Such a line gives no price.
    package let product: ProductID?
    package let quantity: Quantity
    /// The printed unit price. Used only if quantity × unit price equals the total ± 1 minor unit; otherwise
    /// total / quantity is used.
    package let unitPrice: UnitPrice?
    /// The printed total; negative for discounts.
    package let total: Money
    /// The item that a discount reduces.
    package let belongsTo: ReceiptLineID?
    /// The package size in the printed name, if it replaces the size of the product on the date.
    package let size: Quantity?

    package init(
        id: ReceiptLineID, kind: LineKind, product: ProductID?, quantity: Quantity, unitPrice: UnitPrice?,
        total: Money, belongsTo: ReceiptLineID? = nil, size: Quantity? = nil
    ) {
        self.id = id
        self.kind = kind
        self.product = product
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.total = total
        self.belongsTo = belongsTo
        self.size = size
    }
}
