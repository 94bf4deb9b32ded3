import Domain

/// Kinds of papers other than supermarket receipts; the raw values are stable.
package enum PaperKind: String, Sendable, CaseIterable {
    case restaurant, fuel, parking, pharmacy, diy, invoice, ticket, hotel, taxi, order

    /// A word of `KeywordLexicon` that names the category; nil if the merchant determines the category.
    package var categoryWord: String? {
        switch self {
        case .restaurant: "Restaurant"
        case .fuel: "Tanken"
        case .parking: "Parken"
        case .pharmacy: "Apotheke"
        case .diy: "Baumarkt"
        case .ticket: "Fahrkarte"
        case .hotel: "Hotel"
        case .taxi: "Taxi"
        case .invoice, .order: nil
        }
    }

    /// Minimum score of a kind.
    private static let minimumScore = 4
    /// Minimum score if the name of a supermarket or drugstore is at the top of the paper.
    private static let minimumScoreOfGrocer = 8
    /// Number of head lines searched for a known payee.
    private static let headLineCount = 5

    /// The kind with the highest score; nil if the score is below the minimum.
    static func bestKind(in lines: [PaperLine], hasLitres: Bool, hasAccount: Bool, hasTip: Bool) -> PaperKind? {
        let words = Set(lines.flatMap(\.words))
        var scores = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.score(words)) })
        let payees = lines.prefix(headLineCount).compactMap { PayeeLexicon.shared.beginning($0.text)?.category }
        for category in Set(payees) {
            if let (kind, weight) = kind(ofPayee: category) { scores[kind, default: 0] += weight }
        }
        for (category, found) in categories(of: words) {
            if let kind = kind(ofItems: category) { scores[kind, default: 0] += min(3, found) }
        }
        if hasLitres { scores[.fuel, default: 0] += 4 }
        if hasAccount { scores[.invoice, default: 0] += 1 }
        if hasTip { scores[.restaurant, default: 0] += 2 }
        let isGrocer = payees.contains("groceries") || payees.contains("drugstore")
        let ordered = allCases.map { ($0, scores[$0] ?? 0) }
        guard let best = ordered.max(by: { $0.1 < $1.1 }), best.1 >= (isGrocer ? minimumScoreOfGrocer : minimumScore)
        else {
            return nil
        }
        return best.0
    }

    /// The sum of the weights of this kind's words that occur in `words`.
    private func score(_ words: Set<String>) -> Int {
        self.words.reduce(0) { sum, entry in
            let (word, weight) = entry
            let isThere =
                word.hasSuffix("*") ? words.contains { $0.hasPrefix(word.dropLast()) } : words.contains(word)
            return sum + (isThere ? weight : 0)
        }
    }

    private static func kind(ofPayee category: String) -> (PaperKind, Int)? {
        switch category {
        case "dining": (.restaurant, 4)
        case "fuel": (.fuel, 4)
        case "parking": (.parking, 4)
        case "pharmacy": (.pharmacy, 4)
        case "diy": (.diy, 4)
        case "travel": (.hotel, 3)
        case "transit": (.ticket, 2)
        case "energy", "telecom", "insurance", "fees": (.invoice, 3)
        default: nil
        }
    }

    private static func kind(ofItems category: String) -> PaperKind? {
        switch category {
        case "dining": .restaurant
        case "fuel": .fuel
        case "parking": .parking
        case "pharmacy": .pharmacy
        case "diy": .diy
        case "transit": .ticket
        case "housing", "energy", "telecom", "insurance": .invoice
        default: nil
        }
    }

    /// How many of the words belong to each category.
    private static func categories(of words: Set<String>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for word in words.sorted().prefix(400) where word.utf8.count >= 4 && !PaperWords.wordsOfAnyPaper.contains(word)
        {
            guard case .builtIn(let key)? = KeywordLexicon.shared.suggestion(for: ExpenseText(what: word))?.category
            else { continue }
            counts[key, default: 0] += 1
        }
        return counts
    }
}
