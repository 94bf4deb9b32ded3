/// The parts of a confirmed receipt's line that prices are made from.
package struct ConfirmedLine: Sendable {
    package let id: ReceiptLineID
    package let kind: LineKind
    /// Nil while the name is not bound to a product; such a line makes no price.
    package let product: ProductID?
    package let quantity: Quantity
    /// As printed. Used if quantity × unit price is the total ± 1 minor unit; else total / quantity is used.
    package let unitPrice: UnitPrice?
    /// As printed; negative for discounts.
    package let total: Money
    /// The item that a discount reduces.
    package let belongsTo: ReceiptLineID?

    package init(
        id: ReceiptLineID, kind: LineKind, product: ProductID?, quantity: Quantity, unitPrice: UnitPrice?,
        total: Money, belongsTo: ReceiptLineID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.product = product
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.total = total
        self.belongsTo = belongsTo
    }
}
