import Recognition

/// Recognises leaders (rows of dots from a name to its price) that were read as letters: `uuunsssnnseesnneneeene`,
/// `z2z222020402`.
enum LeaderNoise {
    /// The characters that the engine reads instead of rows of dots.
    private static let letters: Set<Character> = Set("usnerozıiaelmt024@#.,:;«»=_~-–—'\"*+&")

    /// Returns the tokens with misread leaders marked as leaders.
    static func marked(_ tokens: [ListToken]) -> [ListToken] {
        var tokens = tokens
        for index in tokens.indices where tokens[index].kind == .word && isNoise(tokens[index]) {
            tokens[index].kind = .leader
        }
        markDashes(&tokens)
        // Short words of low confidence between a name and its price are pieces of a leader.
        var index = tokens.endIndex
        while index > tokens.startIndex, tokens[index - 1].mayBelongToPrice { index -= 1 }
        guard index < tokens.endIndex else { return tokens }
        while index > tokens.startIndex {
            let token = tokens[index - 1]
            guard token.kind == .leader || token.kind == .none || isLeaderFragment(token) else { break }
            tokens[index - 1].kind = .leader
            index -= 1
        }
        return tokens
    }

    /// Marks three or more successive dashes, each a separate word, as a leader.
    private static func markDashes(_ tokens: inout [ListToken]) {
        var start = 0
        while start < tokens.count {
            guard tokens[start].isDash else {
                start += 1
                continue
            }
            var end = start + 1
            while end < tokens.count, tokens[end].isDash,
                tokens[end].box.x - tokens[end - 1].box.maxX <= 2 * max(tokens[end].box.height, tokens[end].box.width)
            {
                end += 1
            }
            if end - start >= 3 { for index in start..<end { tokens[index].kind = .leader } }
            start = end
        }
    }

    /// Whether a token is a short word of low confidence with at most one digit.
    private static func isLeaderFragment(_ token: ListToken) -> Bool {
        token.kind == .word && token.confidence < 50 && token.text.count <= 4 && token.text.count(where: \.isNumber) < 2
    }

    private static func isNoise(_ token: ListToken) -> Bool {
        let characters = Array(token.text)
        let distinct = Set(characters)
        let isDoubtful = token.confidence < 50
        guard characters.count >= 6, isDoubtful || distinct.isSubset(of: letters) else { return false }
        // Noise repeats a few letters, unlike words.
        let pairs = zip(characters, characters.dropFirst()).count { $0 == $1 }
        let nonLetterCount = characters.count { !$0.isLetter }
        return characters.count >= 3 * distinct.count || pairs * 4 >= characters.count
            || nonLetterCount * 3 >= characters.count
            || isDoubtful && characters.count >= 2 * distinct.count
    }
}

extension ListToken {
    var isDash: Bool {
        kind == .leader || kind == .none && text.allSatisfy { "-–—_=~".contains($0) }
    }
}
