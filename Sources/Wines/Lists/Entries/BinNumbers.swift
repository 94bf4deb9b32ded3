/// Recognises bin numbers, by which guests order a wine.
struct BinNumbers {
    /// Whether the rows of the list begin with bin numbers.
    let areUsed: Bool
    /// Numbers out of order, which are parts of names: `14 Hands` on the second line of bin 103.
    private let strays: Set<Int>

    init(_ rows: [ListRow]) {
        // The price of an entry may be in a line below its bin number.
        let pricedCount = rows.count(where: \.isPriced)
        let numbers = rows.filter { $0.text.count > 1 }.compactMap {
            Self.leading($0).flatMap { Self.value($0.number) }
        }
        let rising = zip(numbers, numbers.dropFirst()).count { $0 < $1 }
        let years = numbers.count { (WineVintage.earliest...WineVintage.latest).contains($0) }
        areUsed =
            years * 2 < numbers.count && numbers.count >= 3 && numbers.count * 2 >= pricedCount
            && rising * 3 >= (numbers.count - 1) * 2
        let inOrder = numbers.indices.filter { !Self.isStray($0, numbers) }.map { numbers[$0] }
        strays = Set(numbers).subtracting(inOrder)
    }

    /// Whether a number is not between the numbers before and after it, although these two are in order.
    private static func isStray(_ index: Int, _ numbers: [Int]) -> Bool {
        guard index > 0, index + 1 < numbers.count else { return false }
        let (before, after) = (numbers[index - 1], numbers[index + 1])
        return before < after && !(before < numbers[index] && numbers[index] < after)
    }

    /// The bin number at the beginning of a row, and the number of its words.
    func bin(_ row: ListRow) -> (number: String, words: Int)? {
        guard let leading = Self.leading(row), areUsed || leading.hasSign else { return nil }
        guard leading.hasSign || Self.value(leading.number).map(strays.contains) == false else { return nil }
        return (leading.number, leading.words)
    }

    /// Signs before a bin number. A number in one word with a sign (`#12`) is a bin number even if no other row has
    /// one.
    static let signs = ["Nr.", "Nr", "No.", "N°", "Nº", "N.", "#"]

    /// The number at the beginning of a row that has further words.
    private static func leading(_ row: ListRow) -> (number: String, words: Int, hasSign: Bool)? {
        guard let first = row.text.first else { return nil }
        let leadingNumber: (number: String, words: Int, hasSign: Bool)?
        if let sign = signs.first(where: { first.text.hasPrefix($0) }) {
            // The number may be in the same word or in the next one.
            let textAfterSign = first.text.dropFirst(sign.count)
            let isApart = textAfterSign.isEmpty && row.text.count > 1
            let digits = isApart ? number(row.text[1].text) : number(textAfterSign)
            leadingNumber = digits.map { ($0, isApart ? 2 : 1, !isApart) }
        } else {
            leadingNumber = number(first.text).map { ($0, 1, false) }
        }
        return leadingNumber.flatMap { row.text.count > $0.words ? $0 : nil }
    }

    /// A number with one to four digits, which may follow a capital letter: `101`, `W12`.
    private static func number(_ text: some StringProtocol) -> String? {
        var text = Substring(text)
        while let last = text.last, ".):".contains(last) { text.removeLast() }
        let digits = text.drop { ("A"..."Z").contains($0) }
        return text.utf8.count - digits.utf8.count <= 1 && (1...4).contains(digits.utf8.count)
            && digits.utf8.allSatisfy { (48...57).contains($0) } ? String(text) : nil
    }

    private static func value(_ number: String) -> Int? { Int(number.drop { ("A"..."Z").contains($0) }) }
}
