import Domain

/// Generates a demo household: the prices of all products over time, and the receipts.
struct DemoGenerator {
    /// A product with its prices, as one chain sells it.
    struct Offering {
        let product: DemoHousehold.Product
        /// The regular prices in minor units, per kg for products sold by weight, oldest first. Each applies from its
        /// day on.
        let prices: [(from: LocalDate, minor: Int64)]
        /// The months of sale, 1…12.
        let season: Set<Int>
        /// The relative frequency of purchases.
        let weight: Int
        /// The deposit on one piece, in minor units; 0 for none.
        let depositMinor: Int64
        let vat: VATRate
    }

    private(set) var chains: [DemoHousehold.Chain] = []
    private(set) var stores: [DemoHousehold.Store] = []
    private(set) var groups: [DemoHousehold.Group] = []
    private(set) var offerings: [Offering] = []
    private var generator: SplitMix64
    private let firstDay: LocalDate
    private let lastDay: LocalDate
    private var chainIDs: [String: ChainID] = [:]

    init(seed: UInt64, endingOn day: LocalDate, months: Int) {
        generator = SplitMix64(seed: seed)
        lastDay = day
        let start = day.month.adding(-max(1, months))
        firstDay = LocalDate(dayNumber: start.firstDay.dayNumber + min(day.day, start.dayCount))
        makeStores()
        makeProducts()
    }

    private mutating func identifier<Tag>(_ day: LocalDate) -> Identifier<Tag> {
        let milliseconds = UInt64(max(0, day.dayNumber)) * 86_400_000
        return Identifier(milliseconds: milliseconds, using: &generator)
    }

    private mutating func makeStores() {
        let table: [(key: String, name: String, country: String, stores: [(String, String, String)])] = [
            ("billa", "BILLA", "AT", [("Lindenallee 12", "5020", "Salzburg"), ("Bahnhofplatz 3", "5400", "Hallein")]),
            ("spar", "SPAR", "AT", [("Ahornweg 7", "5020", "Salzburg"), ("Marktgasse 21", "5400", "Hallein")]),
            ("hofer", "HOFER", "AT", [("Wiesenstraße 40", "5020", "Salzburg"), ("Auweg 2", "5081", "Anif")]),
            ("rewe", "REWE", "DE", [("Münchner Straße 18", "83395", "Freilassing")]),
            ("dm", "dm", "AT", [("Kirchengasse 5", "5020", "Salzburg")]),
        ]
        for row in table {
            let chain = DemoHousehold.Chain(id: identifier(firstDay), name: row.name, country: row.country)
            chains.append(chain)
            chainIDs[row.key] = chain.id
            for (street, postcode, town) in row.stores {
                stores.append(
                    DemoHousehold.Store(
                        id: identifier(firstDay), chain: chain.id, name: "\(row.name) \(town), \(street)",
                        street: street, postcode: postcode, town: town))
            }
        }
    }

    private mutating func makeProducts() {
        for entry in DemoAssortmentGroup.read(demoAssortment) {
            let group = DemoHousehold.Group(
                id: identifier(firstDay), name: entry.name, baseUnit: entry.baseUnit, category: entry.category)
            groups.append(group)
            for row in entry.rows {
                guard let chain = chains.first(where: { $0.id == chainIDs[row.chain] }) else { continue }
                offerings.append(makeOffering(row, of: entry, in: group, at: chain))
            }
        }
    }

    private mutating func makeOffering(
        _ row: DemoAssortmentGroup.Row, of entry: DemoAssortmentGroup, in group: DemoHousehold.Group,
        at chain: DemoHousehold.Chain
    ) -> Offering {
        let span = firstDay.days(to: lastDay)
        let changeDay = firstDay.adding(days: span * Int.random(in: 50...75, using: &generator) / 100)
        let sizes = row.sizes.enumerated().map { index, size in
            PackageSizePeriod(from: index == 0 ? firstDay : changeDay, size: size)
        }
        let names = row.printedNames.enumerated().map { index, name in
            (from: index == 0 ? firstDay : changeDay, name: name)
        }
        let product = DemoHousehold.Product(
            id: identifier(firstDay), group: group.id, chain: chain.id, name: row.name, category: group.category,
            sizes: row.isWeighed ? [] : sizes, printedNames: names, isWeighed: row.isWeighed)
        return Offering(
            product: product, prices: priceHistory(from: row.minor, rise: entry.rise), season: entry.season,
            weight: entry.weight, depositMinor: entry.depositMinor,
            vat: DemoAssortmentGroup.vatRate(category: group.category, name: group.name, country: chain.country))
    }

    /// Generates at most five price changes of about `rise` percent in total. New prices from 1.00 on end in 9; lower
    /// prices end in 0 or 5.
    private mutating func priceHistory(from start: Int64, rise: Int) -> [(from: LocalDate, minor: Int64)] {
        let steps = Int.random(in: 2...5, using: &generator)
        let span = firstDay.days(to: lastDay)
        let days = (0..<steps).map { _ in Int.random(in: 20...(span - 10), using: &generator) }.sorted()
        let total = Int64(rise + Int.random(in: -2...3, using: &generator))
        var path = [(from: firstDay, minor: start)]
        for (index, day) in days.enumerated() {
            let target = start * (100 + total * Int64(index + 1) / Int64(steps)) / 100
            let ending: Int64 = target < 100 ? (target / 5 * 5 + (target % 5 >= 3 ? 5 : 0)) : target / 10 * 10 + 9
            if ending != path.last?.minor { path.append((firstDay.adding(days: day), max(5, ending))) }
        }
        return path
    }

    mutating func generateReceipts() -> [DemoHousehold.Receipt] {
        var receipts: [DemoHousehold.Receipt] = []
        var day = firstDay
        while day <= lastDay {
            // The chance of a receipt in percent, from Monday to Sunday. The average of 41 % gives about 300 receipts
            // in two years.
            let chance = [38, 34, 36, 46, 68, 66, 0][day.weekday.rawValue]
            if Int.random(in: 0..<100, using: &generator) < chance, let receipt = generateReceipt(on: day) {
                receipts.append(receipt)
            }
            day = day.adding(days: 1)
        }
        return receipts
    }

    private mutating func generateReceipt(on day: LocalDate) -> DemoHousehold.Receipt? {
        // The relative frequency of purchases in each of `stores`.
        let weights = [14, 10, 13, 9, 20, 9, 13, 12]
        var pick = Int.random(in: 0..<weights.reduce(0, +), using: &generator)
        var index = 0
        while pick >= weights[index] {
            pick -= weights[index]
            index += 1
        }
        let store = stores[index]
        let isDrugstore = store.chain == chainIDs["dm"]
        let count = Int.random(in: isDrugstore ? 2...6 : 4...16, using: &generator)
        var basket = DemoBasket(
            chain: store.chain, usesGermanTax: store.chain == chainIDs["rewe"], generator: generator)
        for offering in chooseOfferings(count, chain: store.chain, on: day) {
            basket.add(offering, on: day, isOffer: isOffer(offering.product, on: day))
        }
        basket.finish()
        generator = basket.generator
        guard let total = basket.total,
            let time = LocalTime(
                hour: Int.random(in: 8...18, using: &generator), minute: Int.random(in: 0...59, using: &generator),
                second: Int.random(in: 0...59, using: &generator))
        else { return nil }
        return DemoHousehold.Receipt(
            id: identifier(day), store: store.id, chain: store.chain, day: day, time: time, lines: basket.lines,
            total: total)
    }

    private mutating func chooseOfferings(_ count: Int, chain: ChainID, on day: LocalDate) -> [Offering] {
        var candidates = offerings.filter { $0.product.chain == chain && $0.season.contains(day.monthNumber) }
        var chosen: [Offering] = []
        while chosen.count < count, !candidates.isEmpty {
            var pick = Int.random(in: 0..<candidates.reduce(0) { $0 + $1.weight }, using: &generator)
            let index = candidates.firstIndex { candidate in
                pick -= candidate.weight
                return pick < 0
            }
            guard let index else { break }
            chosen.append(candidates.remove(at: index))
        }
        return chosen
    }

    /// Whether a product is on offer at its chain. Each product is on offer in about one week of twelve.
    private func isOffer(_ product: DemoHousehold.Product, on day: LocalDate) -> Bool {
        var draw = SplitMix64(seed: product.id.low ^ UInt64(max(0, (day.dayNumber + 3) / 7)))
        return draw.next() % 12 == 0
    }
}
