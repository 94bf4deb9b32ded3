/// A drawn household: two years of receipts with the truth about every line. Nothing in it is real.
package struct DemoHousehold: Sendable {
    package struct Chain: Sendable {
        package let id: ChainID
        /// As `allesteurer read` names chains: `BILLA`, `REWE`.
        package let name: String
        /// ISO 3166-1 alpha-2.
        package let country: String
    }

    package struct Store: Sendable {
        package let id: StoreID
        package let chain: ChainID
        package let name: String
        package let street: String
        package let postcode: String
        package let town: String
    }

    /// The true comparison group of products.
    package struct Good: Sendable {
        package let id: ComparisonGroupID
        package let name: String
        package let baseUnit: MeasureUnit
        /// A key of `CategoryTemplate`.
        package let category: String
    }

    package struct Product: Sendable {
        package let id: ProductID
        package let good: ComparisonGroupID
        package let chain: ChainID
        package let name: String
        package let category: String
        /// Package sizes with the day from which they are sold, oldest first; empty for weighed goods.
        package let sizes: [PackageSizePeriod]
        /// Printed names with the day from which the till prints them, oldest first.
        package let printedNames: [(from: LocalDate, name: String)]
        package let isWeighed: Bool
    }

    package struct Line: Sendable {
        package let id: ReceiptLineID
        package let kind: LineKind
        package let printedName: String
        /// The truth for items; nothing for other lines.
        package let product: ProductID?
        package let quantity: Quantity
        package let unitPrice: UnitPrice
        package let total: Money
        package let vatClass: VATClass?
        package let vatRate: VATRate?
        /// The index of the item that a discount or deposit belongs to.
        package let belongsTo: Int?
    }

    package struct Receipt: Sendable {
        package let id: ReceiptID
        package let store: StoreID
        package let chain: ChainID
        package let day: LocalDate
        package let time: LocalTime
        package let lines: [Line]
        /// The sum of all lines.
        package let total: Money
    }

    package let chains: [Chain]
    package let stores: [Store]
    package let goods: [Good]
    package let products: [Product]
    /// Oldest first.
    package let receipts: [Receipt]

    /// About 300 receipts in `months` months that end on `day`; equal arguments give an equal household.
    package init(seed: UInt64 = 20_260_101, endingOn day: LocalDate, months: Int = 24) {
        var drawer = DemoDrawer(seed: seed, endingOn: day, months: months)
        chains = drawer.chains
        stores = drawer.stores
        goods = drawer.goods
        products = drawer.products.map(\.product)
        receipts = drawer.drawReceipts()
    }
}
