import Domain
import Templates

/// The model of the view `matching/index`: the new printed names with suggestions.
struct MatchingPage: PageModel {
    let problem: Problem?
    let newNames: WaitingCount?
    let cards: [Card]
    /// The address to which the cards' forms are sent. The response redirects to this page.
    let formHref: String
    let moreHref: String?
    /// The newest batch that can be undone; nil if the message above the page already offers to undo it.
    let newest: MatchingBatch?
    let ignored: [IgnoredName]
    /// Whether the household has a store. Without stores, it has no receipts with printed names.
    let hasStores: Bool

    /// A name whose form was refused. Its card is shown first, with the entered text.
    struct RefusedForm: Sendable {
        let line: ReceiptLineID
        /// The lines of the ticked spellings.
        let ticked: Set<ReceiptLineID>
        /// The name in the form.
        let typedName: String
        let category: CategoryID?
        /// The product that already has the typed name.
        var taken: ProductID?
    }

    static let fields = Fields<Self> { f in
        f.optional("problem") { $0.problem }
        f.optional("newNames") { $0.newNames }
        f.flag("hasNames") { !$0.cards.isEmpty }
        f.list("names") { $0.cards }
        f.flag("offersAll") { $0.offersAll }
        f.text("formHref") { $0.formHref }
        f.optionalText("moreHref") { $0.moreHref }
        f.optional("batch") { $0.newest }
        f.flag("hasStores") { $0.hasStores }
        f.flag("hasIgnored") { !$0.ignored.isEmpty }
        f.number("ignoredCount") { $0.ignored.count }
        f.list("ignored") { $0.ignored }
    }

    /// Whether the page has a button that adds all names that need no decision. True if this page has such a name, or
    /// if there is a next page, because that page may have one.
    private var offersAll: Bool { moreHref != nil || cards.contains(where: \.needsNoDecision) }

    /// One name, or several probable spellings of one name, with suggestions.
    struct Card: PageModel {
        let id: ReceiptLineID
        let names: [PrintedName]
        let price: String
        let chainName: String
        let receiptHref: String
        let suggestions: [SuggestionButton]
        let newName: String
        /// Whether the form for a new product was refused.
        let isRefused: Bool
        let categories: [Choice]
        let colour: String

        /// Whether the name can be added as a new product without a choice by a person.
        var needsNoDecision: Bool { suggestions.isEmpty && names.count == 1 }
        /// The suggestion that one tap accepts; nil to suggest a new product.
        private var best: SuggestionButton? { suggestions.first }
        /// The label of the selected category, without the blanks that indent it in the select box.
        private var category: String {
            String((categories.first(where: \.isSelected)?.label ?? "").drop(while: \.isWhitespace))
        }

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id.description }
            f.list("printed") { $0.names }
            f.flag("hasSeveralNames") { $0.names.count > 1 }
            f.flag("isNew") { $0.best == nil }
            f.text("title") { $0.best?.name ?? $0.newName }
            f.text("value") { $0.best?.value ?? "new" }
            f.text("detail") { $0.best?.detail ?? $0.category }
            f.text("colour") { $0.best?.colour ?? $0.colour }
            f.text("price") { $0.price }
            f.text("chainName") { $0.chainName }
            f.text("receiptHref") { $0.receiptHref }
            f.flag("hasOthers") { $0.suggestions.count > 1 }
            f.list("others") { Array($0.suggestions.dropFirst()) }
            f.text("newName") { $0.newName }
            f.list("categories") { $0.categories }
            f.flag("isOpen") { $0.isRefused }
        }

        /// - Parameter refused: a refused form. A product that has the typed name comes before the suggestions.
        init(
            _ spellings: WaitingSpellings, _ household: HouseholdCatalogue, _ words: LanguageTexts,
            _ language: Language,
            refused: RefusedForm? = nil
        ) {
            let name = spellings.first
            let refused = refused.flatMap { spellings.has($0.line) ? $0 : nil }
            id = name.line
            names = spellings.names.map { name in
                PrintedName(
                    id: name.line, name: name.printedName, isTicked: refused?.ticked.contains(name.line) ?? true)
            }
            price = name.unitPrice?.shown(language) ?? name.total.formatted(language)
            chainName = household.naming.chain(name.chain)
            receiptHref = "/receipts/\(name.receipt)"
            // Products of the chain come before comparisons, because they are more likely.
            let found = household.catalogue.suggestions(for: name.item)
            let others = (found.filter(\.isProduct) + found.filter { !$0.isProduct })
                .filter { $0.target != refused?.taken.map { .product($0) } }
            let offered = refused?.taken.flatMap { SuggestionButton($0, household, words, language) }
            suggestions =
                [offered].compactMap { $0 } + others.compactMap { SuggestionButton($0, household, words, language) }
            isRefused = refused != nil
            newName = refused?.typedName ?? household.vocabulary.readableName(name.printedName)
            let category = refused.map(\.category) ?? household.categories.id(key: name.categoryGuess)
            categories = household.categories.choices(category, language, words)
            colour = household.categories.colour(category)
        }
    }

    /// A name as printed on receipts.
    struct PrintedName: PageModel {
        let id: ReceiptLineID
        let name: String
        /// Whether the spelling is ticked, if the card has several.
        let isTicked: Bool

        static let fields = Fields<Self> { f in
            f.text("id") { $0.id.description }
            f.text("name") { $0.name }
            f.flag("isTicked") { $0.isTicked }
        }
    }

    /// A button with a suggestion.
    struct SuggestionButton: PageModel {
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

extension MatchingBatch: PageModel {
    static let fields = Fields<Self> { f in
        f.text("action") { MatchingBatch.undoHref($0.id) }
        f.text("count") { String($0.count) }
    }
}
