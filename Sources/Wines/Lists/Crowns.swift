import Recognition

/// Finds the currency of prices with `kr`, the sign of the Danish, Norwegian and Swedish crowns.
enum Crowns {
    /// The code of a price with `kr.`, until its currency is found. Danish lists mostly print the full stop.
    static let withStop = "kr."
    /// The code of a price with `kr`, until its currency is found.
    static let withoutStop = "kr"

    private static let words = VocabularyText.lines(PackageResources.crowns_txt).map { code, words in
        (code: code, words: Set(words.map { $0.lowercased() }))
    }

    /// The currency of each of the two codes; empty if `codes` has neither. If the list also states exactly one of DKK,
    /// NOK and SEK, the result is this currency. Otherwise, the language of the list decides.
    ///
    /// - Parameter codes: The codes of all prices and remarks of the list.
    static func resolved(_ codes: Set<String>, on pages: [RecognizedPage]) -> [String: String] {
        guard codes.contains(withStop) || codes.contains(withoutStop) else { return [:] }
        let stated = words.map(\.code).filter(codes.contains)
        let likely = stated.count == 1 ? stated : likely(pages)
        let first = ["SEK", "NOK", "DKK"].first(where: likely.contains) ?? "SEK"
        return [withStop: likely.contains("DKK") ? "DKK" : first, withoutStop: first]
    }

    /// The currency whose language has the most words on the pages; several currencies if their numbers are equal.
    private static func likely(_ pages: [RecognizedPage]) -> [String] {
        var counts: [String: Int] = [:]
        for word in pages.lazy.flatMap(\.lines).flatMap(\.words) {
            let text = word.text.lowercased()
            for language in words where language.words.contains(text) { counts[language.code, default: 0] += 1 }
        }
        let most = counts.values.max() ?? 0
        return words.map(\.code).filter { counts[$0, default: 0] == most }
    }
}
