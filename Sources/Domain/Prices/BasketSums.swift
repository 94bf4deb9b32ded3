/// An item of a basket with its prices. Places are numbered from 0.
struct BasketRow: Sendable {
    struct Price: Sendable {
        /// Thousandths of a minor unit.
        let price: Int64
        let ageInDays: Int

        var isOld: Bool { ageInDays > PriceComparison.freshDays }

        func isBefore(_ other: Price) -> Bool { (price, ageInDays) < (other.price, other.ageInDays) }
    }

    /// The position of the item in the basket.
    let index: Int
    /// In thousandths of the unit of the prices.
    let quantity: Int64
    /// The price at each place; nil where it is unknown.
    private(set) var prices: [Price?]
    /// The lowest price at any place; of equal prices, the newest. A recent price takes precedence over an old one,
    /// even if the old one is lower.
    private var best: Price?

    init(index: Int, quantity: Int64, places: Int) {
        self.index = index
        self.quantity = quantity
        prices = Array(repeating: nil, count: places)
    }

    mutating func add(_ price: Int64, ageInDays: Int, at place: Int) {
        let price = Price(price: price, ageInDays: ageInDays)
        prices[place] = price
        if best.map({ price.isOld == $0.isOld ? price.isBefore($0) : $0.isOld }) ?? true { best = price }
    }

    /// The lower price of two places. If neither place has one, the lowest price elsewhere, and `isHere` is false.
    func price(at first: Int, _ second: Int) -> (price: Price?, isHere: Bool) {
        guard let one = prices[first] else { return prices[second].map { ($0, true) } ?? (best, false) }
        guard let other = prices[second], other.isBefore(one) else { return (one, true) }
        return (other, true)
    }
}

/// The cost of a basket at each place and at the best pair of places. Not generic, for speed: a household with many
/// stores has many pairs of places.
struct BasketSums {
    struct Sum {
        /// The numbers of the places; equal for one place.
        let first: Int
        let second: Int
        /// In minor units.
        let cost: Int64
        /// The number of items without a price at these places.
        let missing: Int
    }

    /// Places with prices of more than half of the items.
    let comparedPlaces: [Int]
    /// The sum at each of `comparedPlaces`, cheapest first.
    let singles: [Sum]
    /// The cheapest pair of `comparedPlaces`; nil if it costs no less than the cheapest single place.
    let pair: Sum?
    private let rows: [BasketRow]

    init(_ rows: [BasketRow], places: Int) {
        self.rows = rows
        let comparedPlaces = (0..<places).filter { place in 2 * rows.count { $0.prices[place] != nil } > rows.count }
        self.comparedPlaces = comparedPlaces
        let singles = comparedPlaces.compactMap { Self.sum(rows, $0, $0) }
            .sorted { ($0.cost, $0.first) < ($1.cost, $1.first) }
        self.singles = singles
        var best: Sum?
        for (index, first) in comparedPlaces.enumerated() {
            for second in comparedPlaces[(index + 1)...] {
                guard let sum = Self.sum(rows, first, second) else { continue }
                if best.map({ (sum.cost, sum.missing) < ($0.cost, $0.missing) }) ?? true { best = sum }
            }
        }
        pair = best.flatMap { best in singles.first.map { best.cost < $0.cost } == true ? best : nil }
    }

    /// The indices of the items without a price at the places of a sum, and the number of items whose price is old.
    func details(of sum: Sum) -> (missing: [Int], oldCount: Int) {
        var missing: [Int] = []
        var oldCount = 0
        for row in rows {
            let (price, isHere) = row.price(at: sum.first, sum.second)
            if !isHere { missing.append(row.index) }
            if price?.isOld == true { oldCount += 1 }
        }
        return (missing, oldCount)
    }

    /// Returns nil if the cost is too large for the type.
    private static func sum(_ rows: [BasketRow], _ first: Int, _ second: Int) -> Sum? {
        var cost = Int128(0)
        var missing = 0
        for row in rows {
            let (price, isHere) = row.price(at: first, second)
            if !isHere { missing += 1 }
            cost += Int128(price?.price ?? 0) * Int128(row.quantity)
        }
        guard let minor = try? roundedQuotient(cost, 1_000_000) else { return nil }
        return Sum(first: first, second: second, cost: minor, missing: missing)
    }
}
