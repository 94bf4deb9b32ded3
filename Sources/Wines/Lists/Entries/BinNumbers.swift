/// Recognises bin numbers, by which guests order a wine.
struct BinNumbers {
    /// Whether the rows of the list begin with bin numbers.
    let areUsed: Bool

    init(_ rows: [ListRow]) {
        let priced = rows.filter { $0.isPriced && $0.text.count > 1 }
        let numbers = priced.compactMap { $0.text.first.flatMap(Self.number) }
        let rising = zip(numbers, numbers.dropFirst()).count { $0 < $1 }
        let years = numbers.count { (WineVintage.earliest...WineVintage.latest).contains($0) }
        areUsed =
            years * 2 < numbers.count && numbers.count >= 3 && numbers.count * 2 >= priced.count
            && rising * 3 >= (numbers.count - 1) * 2
    }

    /// The bin number at the beginning of a row.
    func bin(_ row: ListRow) -> String? {
        guard let first = row.text.first, row.text.count > 1 else { return nil }
        if areUsed, Self.number(first) != nil { return Self.digits(first.text) }
        // A number after one of these signs is a bin number even if no other row has one.
        let signs = ["Nr.", "No.", "N°", "N.", "#"]
        return signs.first { first.text.hasPrefix($0) }.flatMap { Self.validDigits(first.text.dropFirst($0.count)) }
    }

    private static func validDigits(_ text: some StringProtocol) -> String? {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) } ? String(text) : nil
    }

    private static func digits(_ text: String) -> String { text.filter { $0.isASCII && $0.isNumber } }

    private static func number(_ token: ListToken) -> Int? {
        var text = token.text[...]
        while let last = text.last, ".):".contains(last) { text.removeLast() }
        return validDigits(text).flatMap { Int($0) }
    }
}
