import Domain
import Templates

/// Whether a wine is to be drunk now, by the years of its drink window.
enum DrinkWindow: String, Sendable, Equatable {
    case ready
    /// Not before a later year.
    case later
    case past
    /// No window is known.
    case unknown

    init(from: Int?, until: Int?, year: Int) {
        switch (from, until) {
        case (nil, nil): self = .unknown
        case (let from?, _) where year < from: self = .later
        case (_, let until?) where year > until: self = .past
        default: self = .ready
        }
    }

    /// `jetzt trinken, bis 2030`; empty for an unknown one.
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
