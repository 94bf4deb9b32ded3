import Demo
import Testing

@testable import Domain

/// The number of right suggestions while the receipts of the demo household are confirmed one after another.
struct SuggestionScore {
    /// Number of names for which a right suggestion was possible.
    var possibleSuggestions = 0
    /// Number of names with a right suggestion.
    var rightSuggestions = 0
    /// Number of names that were matched without a suggestion, because the name was known.
    var automaticMatches = 0
    var wrongMatches = 0
    var misses: [String] = []

    private var names: [ProductID: [CatalogueAlias]] = [:]
    private var knownGroups: Set<ComparisonGroupID> = []

    init(_ household: DemoHousehold, misreading: (inout SplitMix64, String) -> String = { $1 }) {
        let products = Dictionary(uniqueKeysWithValues: household.products.map { ($0.id, $0) })
        let groups = Dictionary(uniqueKeysWithValues: household.groups.map { ($0.id, $0) })
        var generator = SplitMix64(seed: 7)
        var catalogue = Catalogue(products: [])
        for receipt in household.receipts {
            for line in receipt.lines {
                guard let product = line.product.flatMap({ products[$0] }) else { continue }
                let printedName = misreading(&generator, line.printedName)
                let alias = CatalogueAlias(chain: receipt.chain, printedName: printedName)
                if let match = catalogue.matchedProduct(printedName: printedName, chain: receipt.chain) {
                    automaticMatches += 1
                    if match != product.id { wrongMatches += 1 }
                    continue
                }
                let price = try? line.unitPrice.rounded()
                let item = PrintedItem(
                    name: printedName, chain: receipt.chain, price: price, quantity: line.quantity)
                record(catalogue.suggestions(for: item), product: product, printed: printedName, catalogue: catalogue)
                names[product.id, default: []].append(alias)
                if knownGroups.insert(product.group).inserted, let group = groups[product.group] {
                    catalogue.put(
                        CatalogueGroup(
                            id: group.id, name: group.name, baseUnit: group.baseUnit, category: group.category))
                }
                catalogue.put(
                    CatalogueProduct(
                        id: product.id, name: product.name, aliases: names[product.id] ?? [],
                        category: product.category, group: product.group,
                        size: product.isWeighed ? nil : product.sizes.size(on: receipt.day), price: price))
            }
        }
    }

    private mutating func record(
        _ suggestions: [Suggestion], product: DemoHousehold.Product, printed: String, catalogue: Catalogue
    ) {
        let expected: Suggestion.Target
        if names[product.id] != nil {
            expected = .product(product.id)
        } else if knownGroups.contains(product.group) {
            expected = .group(product.group)
        } else {
            return  // The catalogue has neither the product nor its group yet.
        }
        possibleSuggestions += 1
        if suggestions.contains(where: { $0.target == expected }) {
            rightSuggestions += 1
        } else {
            let shownSuggestions = suggestions.map { suggestion in
                switch suggestion.target {
                case .product(let id): catalogue.entry(of: id)?.product.name ?? "?"
                case .group(let id): catalogue.groups.first { $0.group.id == id }?.group.name ?? "?"
                }
            }
            misses.append("\(printed) → \(shownSuggestions)")
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct MatchingTests {
    @Test(
        "90 % of the names get the right product or group as a suggestion, and none is matched to a wrong product",
        arguments: [20_260_101, 2] as [UInt64])
    func suggestionsAndMatches(seed: UInt64) {
        let household = DemoHousehold(seed: seed, endingOn: DemoHouseholdTests.day)
        let score = SuggestionScore(household)
        #expect(score.possibleSuggestions > 100)
        #expect(
            score.rightSuggestions * 10 >= score.possibleSuggestions * 9,
            "\(score.rightSuggestions) of \(score.possibleSuggestions): \(score.misses)")
        #expect(score.wrongMatches == 0)
        #expect(score.automaticMatches > 1_000)
    }

    @Test("90 % of misread names get the right suggestion, and none is matched to a wrong product")
    func misreadNames() {
        let score = SuggestionScore(DemoHousehold(endingOn: DemoHouseholdTests.day)) { generator, name in
            guard generator.next() % 8 == 0 else { return name }
            let confusions: [Character: Character] = [
                "O": "0", "I": "1", "l": "I", "S": "5", "B": "8", "m": "n", "E": "F", "ü": "u", "ä": "a", "a": "o",
            ]
            var characters = Array(name)
            let indices = characters.indices.filter { confusions[characters[$0]] != nil }
            guard let index = indices.randomElement(using: &generator) else { return name }
            characters[index] = confusions[characters[index]] ?? characters[index]
            return String(characters)
        }
        #expect(score.possibleSuggestions > 300)
        #expect(
            score.rightSuggestions * 10 >= score.possibleSuggestions * 9,
            "\(score.rightSuggestions) of \(score.possibleSuggestions): \(score.misses)")
        #expect(score.wrongMatches == 0)
    }

    @Test("matches a printed name to a product only if the product has a name with the same key in the same chain")
    func matchedProducts() {
        let rewe = ChainID(high: 1, low: 1)
        let hofer = ChainID(high: 1, low: 2)
        let milk = ProductID(high: 2, low: 1)
        func product(_ id: ProductID, _ names: String...) -> CatalogueProduct {
            CatalogueProduct(
                id: id, name: names[0], aliases: names.map { CatalogueAlias(chain: rewe, printedName: $0) })
        }
        var catalogue = Catalogue(products: [product(milk, "JA! H-MILCH 3,5%")])
        #expect(catalogue.matchedProduct(printedName: "Ja! H-Milch  3.5 %", chain: rewe) == milk)
        #expect(catalogue.matchedProduct(printedName: "JA! H-MILCH 3,5%", chain: hofer) == nil)
        #expect(catalogue.matchedProduct(printedName: "JA! H-MILCH 1,5%", chain: rewe) == nil)
        #expect(catalogue.matchedProduct(printedName: "JA! H-MILCH", chain: rewe) == nil)
        #expect(catalogue.matchedProduct(printedName: "", chain: rewe) == nil)
        let near = catalogue.suggestions(for: PrintedItem(name: "JA! HALTB.MILCH 3,5", chain: rewe))
        #expect(near.first?.target == .product(milk))
        let other = ProductID(high: 2, low: 2)
        catalogue.put(product(other, "JA! H-MILCH 3,5%"))
        #expect(
            catalogue.matchedProduct(printedName: "JA! H-MILCH 3,5%", chain: rewe) == nil, "two products have the name")
        catalogue.put(product(other, "JA! KAKAO"))
        #expect(catalogue.matchedProduct(printedName: "JA! H-MILCH 3,5%", chain: rewe) == milk)
    }

    @Test("suggests the product with the same fat content and brand first")
    func sameFatContentAndBrandFirst() throws {
        let chain = ChainID(high: 1, low: 1)
        let names = ["JA! H-MILCH 3,5%", "JA! H-MILCH 1,5%", "MILKA ALPENMILCH 100G", "LINDT ALPENMILCH 100G"]
        let products = names.enumerated().map { index, name in
            CatalogueProduct(
                id: ProductID(high: 2, low: UInt64(index)), name: name,
                aliases: [CatalogueAlias(chain: chain, printedName: name)])
        }
        let catalogue = Catalogue(products: products)
        for (printed, right) in [("H-MILCH JA! 1,5%", 1), ("JA HALTB.MILCH 3,5%", 0), ("MILKA ALPENM. 90G", 2)] {
            let first = catalogue.suggestProducts(for: PrintedItem(name: printed, chain: chain)).first
            #expect(first?.target == .product(ProductID(high: 2, low: UInt64(right))), "\(printed)")
        }
    }

    @Test("proposes groups for comparable products of several chains")
    func newGroups() {
        let household = DemoHousehold(endingOn: DemoHouseholdTests.day)
        let groups = Set(household.groups.prefix(30).map(\.id))
        let sold = household.products.filter { groups.contains($0.group) }
        let groupOfProduct = Dictionary(uniqueKeysWithValues: sold.map { ($0.id, $0.group) })
        let catalogue = Catalogue(
            products: sold.map { product in
                CatalogueProduct(
                    id: product.id, name: product.name,
                    aliases: product.printedNames.map {
                        CatalogueAlias(chain: product.chain, printedName: $0.name)
                    }, category: product.category, size: product.sizes.last?.size)
            })
        let proposals = catalogue.suggestNewGroups(limit: 100)
        let pure = proposals.filter { Set($0.products.map { groupOfProduct[$0] }).count == 1 }
        #expect(proposals.count >= 22)
        let mixed = proposals.filter { Set($0.products.map { groupOfProduct[$0] }).count > 1 }.map { proposal in
            proposal.products.map { catalogue.entry(of: $0)?.product.name ?? "" }
        }
        #expect(pure.count * 100 >= proposals.count * 85, "\(mixed)")
        #expect(Set(proposals.flatMap(\.products)).count == proposals.flatMap(\.products).count)
        #expect(
            proposals.contains { $0.baseUnit == .litre && $0.name.contains("milch") && $0.products.count >= 3 },
            "\(proposals.map { "\($0.name): \($0.products.count)" })")
    }

    @Test(arguments: [
        ("VOLLMILCH 3,5% 1L", "VOLLMILCH 1,5% 1L", false), ("VOLLMILCH 3,5% 1L", "VOLLMILCH 3,6% 1L", true),
        ("VOLLMILCH 0,0% 1L", "VOLLMILCH 0,5% 1L", false), ("VOLLMILCH 3,5% 1L", "VOLLMILCH 1L", true),
        ("BIO VOLLMILCH 3,5% 1L", "VOLLMILCH 3,5% 1L", false), ("BIO VOLLMILCH 3,5% 1L", "BIOVOLLMILCH 3,5% 1L", true),
    ])
    func `does not propose to compare different percentages, or organic products with others`(
        one: String, other: String, isProposed: Bool
    ) {
        let products = [one, other].enumerated().map { index, name in
            CatalogueProduct(
                id: ProductID(high: 7, low: UInt64(index)), name: name,
                aliases: [CatalogueAlias(chain: ChainID(high: 7, low: UInt64(index)), printedName: name)])
        }
        #expect(Catalogue(products: products).suggestNewGroups().isEmpty == !isProposed)
    }

    @Test(arguments: [(Currency.eur, true), (.chf, false)])
    func `does not group products with prices in different currencies`(currency: Currency, isProposed: Bool) {
        func product(_ id: UInt64, _ chain: UInt64, _ currency: Currency, _ group: ComparisonGroupID? = nil)
            -> CatalogueProduct
        {
            CatalogueProduct(
                id: ProductID(high: 7, low: id), name: "Vollmilch 1 l",
                aliases: [CatalogueAlias(chain: ChainID(high: 7, low: chain), printedName: "VOLLMILCH 1L")],
                group: group,
                size: Quantity(thousandths: 1_000, unit: .litre), price: Money(minorUnits: 150, currency: currency))
        }
        let pair = [product(1, 1, .eur), product(2, 2, currency)]
        #expect(Catalogue(products: pair).suggestNewGroups().isEmpty == !isProposed)
        let group = ComparisonGroupID(high: 7, low: 1)
        let grouped = Catalogue(
            products: [product(1, 1, .eur, group), product(2, 2, currency)],
            groups: [CatalogueGroup(id: group, name: "Vollmilch", baseUnit: .litre)])
        #expect(grouped.suggestGroups(forProduct: ProductID(high: 7, low: 2)).isEmpty == !isProposed)
    }
}
