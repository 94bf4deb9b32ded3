import Domain
import Templates

/// The default split of a category, as its page shows it.
struct DefaultSplit: PageModel {
    let split: CategorySplit
    /// The people in the split, in the order of the page.
    let people: [(id: PersonID, name: String)]
    /// The address that removes the split.
    let removal: String
    let words: LanguageTexts
    let language: Language

    static let fields = Fields<Self> { f in
        f.text("method") { $0.words["server.split.method-\($0.split.method.rawValue)"] }
        f.text("removal") { $0.removal }
        f.list("shares") { page in
            page.people.compactMap { person in
                page.split.weights[person.id].map { Share(name: person.name, value: page.value($0)) }
            }
        }
    }

    /// A member's share; nil for equal parts.
    private func value(_ weight: Int64) -> String? {
        let number = DecimalText.format(weight, decimals: 2, minimum: 0, in: language)
        return switch split.method {
        case .equal, .exact, .lines: nil
        case .shares: number
        case .percent: number + (language == .german ? "\u{A0}%" : "%")
        }
    }

    /// A member with the share.
    struct Share: PageModel {
        let name: String
        let value: String?

        static let fields = Fields<Self> { f in
            f.text("name") { $0.name }
            f.optionalText("value") { $0.value }
        }
    }
}
