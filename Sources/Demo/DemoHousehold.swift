import Domain

/// A generated household with two years of receipts. Each item has the product to which its printed name should be
/// matched. All data is invented.
package struct DemoHousehold: Sendable {
    package struct Chain: Sendable {
        package let id: ChainID
        /// The name of the chain in the output of `allesteurer read`: `BILLA`, `REWE`.
        package let name: String
        /// ISO 3166-1 alpha-2.
        package let country: String
    }

    package struct Store: Sendable {
        package let id: StoreID
        package let chain: ChainID
        /// Chain, town and street: `BILLA Salzburg, Lindenallee 12`.
        package let name: String
        /// The street with the house number.
        package let street: String
        package let postcode: String
        package let town: String
    }

    /// A comparison group: products of several chains that are the same thing.
    package struct Group: Sendable {
        package let id: ComparisonGroupID
        /// `H-Milch 3,5 %`.
        package let name: String
        package let baseUnit: MeasureUnit
        /// A key of `CategoryTemplate`.
        package let category: String
    }

    /// A product of one chain.
    package struct Product: Sendable {
        package let id: ProductID
        /// The comparison group to which the product belongs.
        package let group: ComparisonGroupID
        package let chain: ChainID
        /// The name with the brand, in the usual spelling.
        package let name: String
        /// A key of `CategoryTemplate`.
        package let category: String
        /// The package sizes, oldest first; empty for products sold by weight.
        package let sizes: [PackageSizePeriod]
        /// The printed names, oldest first. Each is used from its day on.
        package let printedNames: [(from: LocalDate, name: String)]
        /// Whether the product is sold by weight, with quantities in kg and prices per kg.
        package let isWeighed: Bool
    }

    /// A line of a receipt.
    package struct Line: Sendable {
        package let id: ReceiptLineID
        package let kind: LineKind
        package let printedName: String
        /// The product; nil for lines other than items.
        package let product: ProductID?
        /// The number of pieces, or the weight in kg for products sold by weight.
        package let quantity: Quantity
        /// The price per piece or kg before discounts; negative for a discount.
        package let unitPrice: UnitPrice
        /// Negative for discounts, coupons and returned deposits.
        package let total: Money
        /// The VAT class; nil for returned deposits and coupons.
        package let vatClass: VATClass?
        package let vatRate: VATRate?
        /// The index of the item to which a discount or deposit belongs.
        package let belongsTo: Int?
    }

    package struct Receipt: Sendable {
        package let id: ReceiptID
        package let store: StoreID
        package let chain: ChainID
        package let day: LocalDate
        package let time: LocalTime
        /// In the printed order.
        package let lines: [Line]
        /// The sum of all lines.
        package let total: Money
    }

    package let chains: [Chain]
    package let stores: [Store]
    package let groups: [Group]
    package let products: [Product]
    /// Oldest first.
    package let receipts: [Receipt]

    /// Generates the receipts of the given number of months that end on `day`, about 300 in 24 months. Equal arguments
    /// give equal households with equal identifiers.
    package init(seed: UInt64 = 20_260_101, endingOn day: LocalDate, months: Int = 24) {
        var generator = DemoGenerator(seed: seed, endingOn: day, months: months)
        chains = generator.chains
        stores = generator.stores
        groups = generator.groups
        products = generator.offerings.map(\.product)
        receipts = generator.generateReceipts()
    }
}
