import Domain
import Templates

/// The position of a year relative to the drink window of a wine.
enum DrinkWindow: String, Sendable, Equatable {
    case ready
    /// The window begins in a later year.
    case later
    case past
    /// The wine has no drink window.
    case unknown

    init(from: Int?, until: Int?, year: Int) {
        switch (from, until) {
        case (nil, nil): self = .unknown
        case (let from?, _) where year < from: self = .later
        case (_, let until?) where year > until: self = .past
        default: self = .ready
        }
    }

    /// Text such as `jetzt trinken, bis 2030`; empty for `unknown`.
    func text(from: Int?, until: Int?, _ words: LanguageTexts) -> String {
        func year(_ key: String, _ value: Int?) -> String? {
            value.map { words["server.wine.drink-\(key)", ["year": .number(String($0))]] }
        }
        switch self {
        case .unknown: return ""
        case .ready:
            return [words["server.wine.drink-now"], year("until", until)].compactMap { $0 }.joined(separator: ", ")
        case .later: return [year("from", from), year("until", until)].compactMap { $0 }.joined(separator: ", ")
        case .past: return year("past", until) ?? ""
        }
    }
}

extension StoredWine {
    func window(_ today: LocalDate) -> DrinkWindow { DrinkWindow(from: drinkFrom, until: drinkUntil, year: today.year) }
}
