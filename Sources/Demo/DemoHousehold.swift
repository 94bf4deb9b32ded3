import Domain

/// A drawn household: two years of receipts with the truth about every line. Nothing in it is real.
package struct DemoHousehold: Sendable {
    /// A company whose tills print names in one manner.
    package struct Chain: Sendable {
        /// Drawn, so equal for equal seeds.
        package let id: ChainID
        /// As `allesteurer read` names chains: `BILLA`, `REWE`.
        package let name: String
        /// ISO 3166-1 alpha-2.
        package let country: String
    }

    /// One shop of a chain.
    package struct Store: Sendable {
        /// Drawn, so equal for equal seeds.
        package let id: StoreID
        /// Whose shop it is.
        package let chain: ChainID
        /// Chain, town and street, so that two shops of a town differ: `BILLA Salzburg, Lindenallee 12`.
        package let name: String
        /// With the house number, as a receipt's head prints it.
        package let street: String
        /// Four digits in Austria, five in Germany.
        package let postcode: String
        /// In and around Salzburg.
        package let town: String
    }

    /// The true comparison group of products.
    package struct Good: Sendable {
        /// Drawn, so equal for equal seeds.
        package let id: ComparisonGroupID
        /// As a comparison group is named: `H-Milch 3,5 %`.
        package let name: String
        /// What prices are compared per.
        package let baseUnit: MeasureUnit
        /// A key of `CategoryTemplate`.
        package let category: String
    }

    /// What one chain sells of a good; another chain's is another product.
    package struct Product: Sendable {
        /// Drawn, so equal for equal seeds.
        package let id: ProductID
        /// What it is compared with others as: the truth that matching is measured by.
        package let good: ComparisonGroupID
        /// Who sells it.
        package let chain: ChainID
        /// As a person would write it, brand included.
        package let name: String
        /// The good's, a key of `CategoryTemplate`.
        package let category: String
        /// Package sizes with the day from which they are sold, oldest first; empty for weighed goods.
        package let sizes: [PackageSizePeriod]
        /// Printed names with the day from which the till prints them, oldest first.
        package let printedNames: [(from: LocalDate, name: String)]
        /// Sold by weight: quantities in kg, prices per kg.
        package let isWeighed: Bool
    }

    /// A line as the till prints it.
    package struct Line: Sendable {
        /// Drawn, so equal for equal seeds.
        package let id: ReceiptLineID
        /// Items, discounts, deposits and their return, coupons.
        package let kind: LineKind
        /// In the till's spelling, capitals and cut words included.
        package let printedName: String
        /// The truth for items; nothing for other lines.
        package let product: ProductID?
        /// Pieces, or kg for weighed goods.
        package let quantity: Quantity
        /// Per piece or per kg, before discounts; a discount has its own, negative one.
        package let unitPrice: UnitPrice
        /// Negative for discounts, coupons and returned deposits.
        package let total: Money
        /// The letter that the chain's tills print; nothing for returned deposits and coupons.
        package let vatClass: VATClass?
        /// Nothing where there is no class.
        package let vatRate: VATRate?
        /// The index of the item that a discount or deposit belongs to.
        package let belongsTo: Int?
    }

    /// One purchase.
    package struct Receipt: Sendable {
        /// Drawn, so equal for equal seeds.
        package let id: ReceiptID
        /// Where it was.
        package let store: StoreID
        /// The store's.
        package let chain: ChainID
        /// Within the months that were asked for.
        package let day: LocalDate
        /// 8:00:00…18:59:59.
        package let time: LocalTime
        /// In the printed order.
        package let lines: [Line]
        /// The sum of all lines.
        package let total: Money
    }

    /// All that have a store.
    package let chains: [Chain]
    /// Several of the larger chains, so that one chain's prices can be compared with its own.
    package let stores: [Store]
    /// Everything that may be bought.
    package let goods: [Good]
    /// Of every chain.
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
