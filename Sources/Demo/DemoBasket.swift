import Domain

/// Builds the lines of one generated receipt.
struct DemoBasket {
    private(set) var lines: [DemoHousehold.Line] = []
    private(set) var generator: SplitMix64
    private let chain: ChainID
    private let usesGermanTax: Bool

    init(chain: ChainID, usesGermanTax: Bool, generator: SplitMix64) {
        self.chain = chain
        self.usesGermanTax = usesGermanTax
        self.generator = generator
    }

    /// The sum of the lines; nil on overflow, which does not happen with generated amounts.
    var total: Money? { try? Money.sum(of: lines.map(\.total)) }

    /// Adds an item in a random quantity, with its discount and deposit.
    mutating func add(_ offering: DemoGenerator.Offering, on day: LocalDate, isOffer: Bool) {
        let product = offering.product
        let printedName = product.printedNames.last { $0.from <= day }?.name ?? product.name
        let regular = offering.prices.last { $0.from <= day }?.minor ?? offering.prices[0].minor
        let minor = seasonal(regular, offering, month: day.monthNumber)
        let quantity: Quantity
        if product.isWeighed {
            quantity = Quantity(thousandths: Int64.random(in: 180...1_450, using: &generator), unit: .kilogram)
        } else {
            let several = Int.random(in: 0..<100, using: &generator) < (offering.weight >= 4 ? 35 : 12)
            quantity = .pieces(several ? Int64.random(in: 2...4, using: &generator) : 1)
        }
        let unitPrice = UnitPrice(thousandthsOfMinor: minor * 1_000, per: quantity.unit)
        guard let total = try? unitPrice.amount(for: quantity) else { return }
        let item = lines.count
        append(.item, printedName, product.id, quantity, unitPrice, total, vat: offering.vat)
        if isOffer {
            let percent = Int64([15, 20, 25, 25, 30, 33].randomElement(using: &generator) ?? 25)
            appendSingle(.discount, "AKTION", -(total.minorUnits * percent / 100), vat: offering.vat, belongsTo: item)
        }
        if offering.depositMinor > 0 {
            let deposit = UnitPrice(thousandthsOfMinor: offering.depositMinor * 1_000, per: .piece)
            if let sum = try? deposit.amount(for: quantity) {
                append(.deposit, "PFAND 0,25", nil, quantity, deposit, sum, vat: offering.vat, belongsTo: item)
            }
        }
    }

    /// Adds returned bottles at random, and a coupon at random.
    mutating func finish() {
        if Int.random(in: 0..<100, using: &generator) < 9 {
            let bottles = Int64.random(in: 2...14, using: &generator)
            let deposit = UnitPrice(thousandthsOfMinor: -25_000, per: .piece)
            let quantity = Quantity.pieces(bottles)
            if let sum = try? deposit.amount(for: quantity) {
                append(.depositReturn, "LEERGUT EINWEG", nil, quantity, deposit, sum, vat: nil)
            }
        }
        if Int.random(in: 0..<100, using: &generator) < 5 {
            let itemTotal = lines.filter { $0.kind == .item }.reduce(Int64(0)) { $0 + $1.total.minorUnits }
            if itemTotal > 2_000 { appendSingle(.coupon, "GUTSCHEIN 5%", -(itemTotal / 20), vat: nil) }
        }
    }

    /// Returns the seasonal price: produce that is sold all year costs up to 18 % more in winter and up to 10 % less in
    /// summer.
    private func seasonal(_ minor: Int64, _ offering: DemoGenerator.Offering, month: Int) -> Int64 {
        guard offering.product.category == "produce", offering.season.count == 12 else { return minor }
        let percent: [Int64] = [116, 118, 112, 106, 100, 94, 90, 90, 94, 100, 106, 112]
        return minor * percent[month - 1] / 100 / 10 * 10 + 9
    }

    private mutating func appendSingle(
        _ kind: LineKind, _ name: String, _ minor: Int64, vat: VATRate?, belongsTo: Int? = nil
    ) {
        let price = UnitPrice(thousandthsOfMinor: minor * 1_000, per: .piece)
        append(kind, name, nil, .one, price, Money(minorUnits: minor), vat: vat, belongsTo: belongsTo)
    }

    private mutating func append(
        _ kind: LineKind, _ name: String, _ product: ProductID?, _ quantity: Quantity, _ unitPrice: UnitPrice,
        _ total: Money, vat: VATRate?, belongsTo: Int? = nil
    ) {
        let id = ReceiptLineID(high: generator.next() & ~0xF000 | 0x7000, low: generator.next() >> 2 | 1 << 63)
        lines.append(
            DemoHousehold.Line(
                id: id, kind: kind, printedName: name, product: product, quantity: quantity, unitPrice: unitPrice,
                total: total, vatClass: vat.flatMap(vatClass), vatRate: vat, belongsTo: belongsTo))
    }

    private func vatClass(_ rate: VATRate) -> VATClass? {
        let isFull = rate.tenthsOfPercent >= 190
        return VATClass(usesGermanTax ? (isFull ? "A" : "B") : (isFull ? "B" : "A"))
    }
}
