import Domain

/// A receipt without a picture: imported or generated.
struct NewReceipt: Sendable {
    let id: ReceiptID
    let store: StoreID
    let day: LocalDate
    let time: LocalTime?
    let totalMinor: Int64
    /// Nil for a confirmed receipt; otherwise the reader's verdict.
    var verdict: Verdict?
    let lines: [NewLine]
}

/// A line of a `NewReceipt`.
struct NewLine: Sendable {
    let id: ReceiptLineID
    let kind: LineKind
    let printedName: String
    let aliasKey: String
    let quantity: Quantity
    /// In thousandths of a minor unit for one unit of the quantity.
    let unitPrice: Int64?
    let totalMinor: Int64
    var vatClass = ""
    /// In basis points.
    var vatRate: Int32?
    /// The item that a discount reduces.
    var reducedLine: ReceiptLineID?
    var product: ProductID?
    var category: CategoryID?
}
