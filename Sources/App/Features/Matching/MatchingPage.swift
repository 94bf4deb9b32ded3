import Domain
import Templates

/// `matching/index`.
struct MatchingPage: PageModel {
    let problem: Problem?
    let unnamed: Waiting?
    let cards: [Card]
    let ignored: [IgnoredName]

    /// A name whose form was refused. Its card is shown first, with the entered text.
    struct Refused: Sendable {
        let line: ReceiptLineID
        let typed: String
        let category: CategoryID?
        /// The product that has the entered name.
        var taken: ProductID?
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.optional("unnamed") { $0.unnamed }
        f.flag("hasNames") { !$0.cards.isEmpty }
        f.list("names") { $0.cards }
        f.flag("offersAll") { $0.offersAll }
        f.flag("hasIgnored") { !$0.ignored.isEmpty }
        f.number("ignoredCount") { $0.ignored.count }
        f.list("ignored") { $0.ignored }
    }

    /// Whether a name without a suggestion is on this page or may be on a later one.
    private var offersAll: Bool {
        cards.contains(where: \.suggestions.isEmpty) || (unnamed?.count ?? 0) > Int64(cards.count)
    }

    /// One name with its suggestions.
    struct Card: PageModel {
        let id: ReceiptLineID
        let printedName: String
        let price: String
        let chainName: String
        let receiptHref: String
        let when: String
        let suggestions: [Suggested]
        let newName: String
        /// Whether the form for a new product was refused.
        let isTyped: Bool
        let categories: [Choice]

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id.description }
            f.text("printedName") { $0.printedName }
            f.text("price") { $0.price }
            f.text("chainName") { $0.chainName }
            f.text("receiptHref") { $0.receiptHref }
            f.text("when") { $0.when }
            f.flag("hasSuggestions") { !$0.suggestions.isEmpty }
            f.list("suggestions") { $0.suggestions }
            f.text("newName") { $0.newName }
            f.list("categories") { $0.categories }
            f.flag("isOpen") { $0.isTyped || $0.suggestions.isEmpty }
        }

        /// - Parameter refused: the product that has the entered name is shown before the suggestions.
        init(
            _ name: WaitingName, _ household: HouseholdCatalogue, _ words: LanguageTexts, _ language: Language,
            refused: Refused? = nil
        ) {
            let refused = refused.flatMap { $0.line == name.line ? $0 : nil }
            id = name.line
            printedName = name.printedName
            price = name.unitPrice?.shown(language) ?? name.total.formatted(language)
            chainName = household.naming.chain(name.chain)
            receiptHref = "/receipts/\(name.receipt)"
            when = name.day?.formatted(language) ?? ""
            // Products of the chain are more likely than groups, so they come first.
            let found = household.catalogue.suggestions(for: name.item)
            let others = (found.filter(\.isProduct) + found.filter { !$0.isProduct })
                .filter { $0.target != refused?.taken.map { .product($0) } }
            let offered = refused?.taken.flatMap { Suggested($0, household, words, language) }
            suggestions =
                [offered].compactMap { $0 } + others.compactMap { Suggested($0, household, words, language) }
            isTyped = refused != nil
            newName = refused?.typed ?? household.vocabulary.readableName(name.printedName)
            categories = household.categories.choices(
                refused.map(\.category) ?? household.categories.id(key: name.categoryGuess), language, words)
        }
    }

    /// A button with a suggestion.
    struct Suggested: PageModel {
        let value: String
        let colour: String
        let name: String
        let detail: String

        static let fields = Fields<Self> { f in
            f.text("value") { $0.value }
            f.text("colour") { $0.colour }
            f.text("name") { $0.name }
            f.text("detail") { $0.detail }
        }

        init?(
            _ id: ProductID, _ household: HouseholdCatalogue, _ words: LanguageTexts, _ language: Language
        ) {
            guard let product = household.products[id] else { return nil }
            let chain = household.naming.chain(product.chain)
            value = id.description
            colour = household.categories.colour(product.category)
            name = product.name
            detail =
                product.price.map {
                    words["server.matching.last", ["chain": .text(chain), "price": .text($0.regular.shown(language))]]
                } ?? chain
        }

        init?(
            _ suggestion: Suggestion, _ household: HouseholdCatalogue, _ words: LanguageTexts, _ language: Language
        ) {
            switch suggestion.target {
            case .product(let id): self.init(id, household, words, language)
            case .group(let id):
                guard let group = household.groups[id] else { return nil }
                self.init(
                    value: "group-\(id)", colour: household.categories.colour(group.category), name: group.name,
                    detail: words[
                        "server.matching.group",
                        ["name": .text(words.groupName(group.name, group.unit, language))]
                    ])
            }
        }

        private init(value: String, colour: String, name: String, detail: String) {
            (self.value, self.colour, self.name, self.detail) = (value, colour, name, detail)
        }
    }
}

extension Suggestion {
    fileprivate var isProduct: Bool {
        if case .product = target { true } else { false }
    }
}
