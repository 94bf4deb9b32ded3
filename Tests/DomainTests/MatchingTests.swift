import Testing

@testable import Domain

/// Confirms the receipts of the demo household one after the other, as a person would with the truth at hand.
struct ConfirmationDiary {
    var asked = 0
    var right = 0
    var bindings = 0
    var wrongBindings = 0
    var misses: [String] = []

    private var names: [ProductID: [CatalogueAlias]] = [:]
    private var prices: [ProductID: Money] = [:]
    private var formed: Set<ComparisonGroupID> = []

    init(_ household: DemoHousehold, misreading: (inout SplitMix64, String) -> String = { $1 }) {
        let truth = Dictionary(uniqueKeysWithValues: household.products.map { ($0.id, $0) })
        var generator = SplitMix64(seed: 7)
        var catalogue = Catalogue(products: [])
        for receipt in household.receipts {
            for line in receipt.lines {
                guard let product = line.product.flatMap({ truth[$0] }) else { continue }
                let printed = misreading(&generator, line.printedName)
                let alias = CatalogueAlias(chain: receipt.chain, printedName: printed)
                if let bound = catalogue.binding(printedName: printed, chain: receipt.chain) {
                    bindings += 1
                    if bound != product.id { wrongBindings += 1 }
                    continue
                }
                let price = try? line.unitPrice.rounded()
                let item = PrintedItem(
                    name: printed, chain: receipt.chain, price: price, quantity: line.quantity)
                judge(catalogue.suggestions(for: item), product: product, printed: printed, catalogue: catalogue)
                names[product.id, default: []].append(alias)
                prices[product.id] = price
                formed.insert(product.good)
                catalogue = rebuilt(household, truth)
            }
        }
    }

    private mutating func judge(
        _ suggestions: [Suggestion], product: DemoHousehold.Product, printed: String, catalogue: Catalogue
    ) {
        let expected: Suggestion.Target
        if names[product.id] != nil {
            expected = .product(product.id)
        } else if formed.contains(product.good) {
            expected = .group(product.good)
        } else {
            return  // Nothing right exists yet that could be suggested.
        }
        asked += 1
        if suggestions.contains(where: { $0.target == expected }) {
            right += 1
        } else {
            let shown = suggestions.map { suggestion in
                switch suggestion.target {
                case .product(let id): catalogue.entries.first { $0.product.id == id }?.product.name ?? "?"
                case .group(let id): catalogue.groups.first { $0.group.id == id }?.group.name ?? "?"
                }
            }
            misses.append("\(printed) → \(shown)")
        }
    }

    private func rebuilt(_ household: DemoHousehold, _ truth: [ProductID: DemoHousehold.Product]) -> Catalogue {
        let products = names.sorted { $0.key < $1.key }.compactMap { id, aliases in
            truth[id].map {
                CatalogueProduct(
                    id: id, name: $0.name, aliases: aliases, category: $0.category, group: $0.good,
                    size: $0.isWeighed ? nil : $0.sizes.first?.size, price: prices[id])
            }
        }
        let groups = household.goods.filter { formed.contains($0.id) }.map {
            CatalogueGroup(id: $0.id, name: $0.name, baseUnit: $0.baseUnit, category: $0.category)
        }
        return Catalogue(products: products, groups: groups)
    }
}

@Suite struct MatchingTests {
    @Test(
        "In the demo years the right product or group is among the first three, and no name is bound wrongly",
        arguments: [20_260_101, 2] as [UInt64])
    func bar(seed: UInt64) {
        let household = DemoHousehold(seed: seed, endingOn: DemoHouseholdTests.day)
        let diary = ConfirmationDiary(household)
        print("suggestions:", diary.right, "of", diary.asked, "bindings:", diary.bindings, diary.misses)
        #expect(diary.asked > 100)
        #expect(diary.right * 10 >= diary.asked * 9, "\(diary.misses)")
        #expect(diary.wrongBindings == 0)
        #expect(diary.bindings > 1_000)
    }
}
