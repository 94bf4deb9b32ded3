/// The vintage as it is printed.
struct WineVintage: Equatable {
    /// The first year that still is made, to tell vintages from prices.
    static let earliest = 1900
    static let latest = 2099

    var year: Int
    /// The other year of a range such as `2018/19`.
    var other: Int?

    static func isYear(_ word: some StringProtocol) -> Bool {
        guard word.utf8.count == 4, let year = Int(word) else { return false }
        return (earliest...latest).contains(year)
    }

    /// The last year in a text.
    static func find(in text: String) -> WineVintage? {
        WineText.words(text).last(where: isYear).flatMap { Int($0) }.map { WineVintage(year: $0) }
    }
}
