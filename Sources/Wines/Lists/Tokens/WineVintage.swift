/// A printed vintage.
struct WineVintage: Equatable {
    /// Four digits before this year are not a vintage.
    static let earliest = 1900
    static let latest = 2049
    /// Two digits up to this value are years of this century.
    private static let pivot = 49

    var year: Int
    /// The earlier year of a range: 2018 in `2018/19`, whose `year` is 2019.
    var other: Int?

    static func isYear(_ word: some StringProtocol) -> Bool { year(word) != nil }

    /// The year of four digits.
    static func year(_ word: some StringProtocol) -> Int? {
        guard word.utf8.count == 4, word.utf8.allSatisfy({ (48...57).contains($0) }), let year = Int(word) else {
            return nil
        }
        return (earliest...latest).contains(year) ? year : nil
    }

    static func isApostrophe(_ character: Character) -> Bool { "'’‘´`\"”“*°".contains(character) }

    /// Parses a word that is only a vintage: `2019`, `'19`, `2018/19`, `'18/'19`, `2018-2019`, `(2019)`. Nil for other
    /// words.
    init?(word: String) {
        let text = word.drop { "(,[".contains($0) }
        var core = text
        while let last = core.last, ",.;:)]".contains(last) { core.removeLast() }
        if let first = core.first, Self.isApostrophe(first) {
            let years = core.split(omittingEmptySubsequences: false) { "/-–".contains($0) }
                .map { Self.short($0.drop(while: Self.isApostrophe)) }
            guard let year = years[0] else { return nil }
            guard years.count > 1 else {
                self.init(year: year)
                return
            }
            guard years.count == 2, let second = years[1], year != second, abs(year - second) <= 5 else { return nil }
            self.init(year: max(year, second), other: min(year, second))
            return
        }
        if let year = Self.year(core) {
            self.init(year: year)
            return
        }
        let parts = core.split(omittingEmptySubsequences: false) { "/-–".contains($0) }
        guard parts.count == 2, let first = Self.year(parts[0]),
            let second = Self.year(parts[1]) ?? Self.short(parts[1]),
            first != second, abs(first - second) <= 5
        else { return nil }
        self.init(year: max(first, second), other: min(first, second))
    }

    init(year: Int, other: Int? = nil) {
        self.year = year
        self.other = other
    }

    /// The year of two digits.
    static func short(_ word: some StringProtocol) -> Int? {
        guard word.utf8.count == 2, word.utf8.allSatisfy({ (48...57).contains($0) }), let part = Int(word) else {
            return nil
        }
        return part <= pivot ? 2000 + part : 1900 + part
    }

    private static let nonVintages: Set = ["NV", "N.V", "nv", "n.v", "MV", "M.V", "o.J", "O.J", "s.a", "S.A"]

    /// Whether a word means that the wine has no vintage.
    static func isNonVintage(_ word: String) -> Bool {
        var core = word.drop { "([".contains($0) }
        while let last = core.last, ",;:)].".contains(last) { core.removeLast() }
        return nonVintages.contains(String(core))
    }

    /// The last vintage in a text.
    static func find(in text: String) -> WineVintage? {
        text.prefix(WineText.maximumLength).split(separator: " ").reversed().lazy.compactMap {
            WineVintage(word: String($0))
        }
        .first
    }
}
