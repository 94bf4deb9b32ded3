import Recognition

extension TokenJoining {
    /// Reads words for sizes directly before prices: `Halber Liter 10,50   Liter 20,00`, and two or more of
    /// `small 4.50   large 8.50`.
    static func withSizeWords(_ tokens: [ListToken]) -> [ListToken] {
        var joined: [ListToken] = []
        for (index, token) in tokens.enumerated() {
            guard token.kind == .word, isBeforePrice(index, tokens), liters.contains(token.text.lowercased()) else {
                joined.append(token)
                continue
            }
            var liter = token
            liter.kind = .size(1_000)
            if let last = joined.last, isClose(last, token), halves.contains(last.text.lowercased()) {
                joined[joined.count - 1] = union(last, token, .size(500))
            } else {
                joined.append(liter)
            }
        }
        let glasses = joined.indices.filter { index in
            joined[index].kind == .word && isBeforePrice(index, joined)
                && glassSizes.contains(WineText.words(joined[index].text).first ?? "")
        }
        // In two columns of wines, the words are parts of names: `Clos du Petit 39   Clos Grand 45`.
        guard glasses.count > 1, glasses.dropFirst().allSatisfy({ joined[$0 - 1].mayBelongToPrice }) else {
            return joined
        }
        for index in glasses { joined[index].kind = .serving(.glass) }
        return joined
    }

    private static func isBeforePrice(_ index: Int, _ tokens: [ListToken]) -> Bool {
        guard index > 0, index + 1 < tokens.count, isClose(tokens[index], tokens[index + 1]) else { return false }
        return tokens[index + 1].isPrice || tokens[index + 1].isCurrency
    }

    private static let liters: Set = ["liter", "litre", "litro"]
    private static let halves: Set = ["halber", "half", "demi", "mezzo", "medio", "1/2", "½"]
    private static let glassSizes: Set = [
        "small", "medium", "large", "klein", "gross", "petit", "grand", "piccolo", "medio", "grande", "pequena",
    ]
}
