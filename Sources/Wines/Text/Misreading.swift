/// Compares words that may be misread or misspelt.
enum Misreading {
    /// Whether at most one letter is wrong, missing, added or swapped with its neighbour.
    static func isWithinOneEdit(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        let (short, long) = first.count <= second.count ? (first, second) : (second, first)
        guard long.count - short.count <= 1 else { return false }
        var start = 0
        while start < short.count, short[start] == long[start] { start += 1 }
        var end = 0
        while end < short.count - start, short[short.count - 1 - end] == long[long.count - 1 - end] { end += 1 }
        // The numbers of letters between the common start and the common end.
        let (shortRest, longRest) = (short.count - start - end, long.count - start - end)
        if longRest <= 1 { return true }
        return shortRest == 2 && longRest == 2 && short[start] == long[start + 1] && short[start + 1] == long[start]
    }

    /// A form of a folded word in which easily confused letters are the same: letters become those of `shapeLetter`,
    /// `rn` becomes `m`, `vv` becomes `w`, and `cl` becomes `d`. Double letters become single; `ae`, `oe` and `ue` lose
    /// their `e`.
    static func skeleton(_ word: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(word.count)
        for byte in word {
            let letter = shapeLetter[Int(byte)]
            switch (result.last, letter) {
            case (UInt8(ascii: "r"), UInt8(ascii: "n")): result[result.count - 1] = UInt8(ascii: "m")
            case (UInt8(ascii: "v"), UInt8(ascii: "v")): result[result.count - 1] = UInt8(ascii: "w")
            case (UInt8(ascii: "c"), UInt8(ascii: "i")) where byte == UInt8(ascii: "l"):
                result[result.count - 1] = UInt8(ascii: "d")
            case (UInt8(ascii: "u"), UInt8(ascii: "e")), (UInt8(ascii: "a"), UInt8(ascii: "e")),
                (UInt8(ascii: "o"), UInt8(ascii: "e")):
                break
            case (let last?, letter) where last == letter: break
            default: result.append(letter)
            }
        }
        return result
    }

    /// For each byte, the letter that represents all letters of the same shape.
    private static let shapeLetter: [UInt8] = {
        var table = (0...255).map { UInt8($0) }
        for (letters, one) in [("1ljy", "i"), ("0", "o"), ("5", "s"), ("8", "b"), ("9q", "g"), ("k", "c")] {
            for letter in letters.utf8 { table[Int(letter)] = one.utf8.first ?? letter }
        }
        return table
    }()

    /// The costs of edits, in hundredths of the cost of replacing a letter by one of a different shape.
    private enum EditCost {
        /// A letter that is missing or added.
        static let letter = 85
        /// A letter that is missing or added and repeats the letter before it.
        static let repeatedLetter = 35
        /// Two neighbours that are swapped.
        static let swap = 70
        static let sameShape = 35
        static let similarShape = 60
        static let otherShape = 100
        /// The highest cost at which words are similar, per letter of the longer word.
        static let limit = 36
        /// The cost at which the similarity would be 0, per letter of the longer word.
        static let zero = 75
    }

    /// The similarity of two folded words: 1 if they are equal, 0.52 at the limit of the edit cost, and 0 beyond it.
    static func likeness(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Float {
        let (rows, columns) = (first.count, second.count)
        let longest = max(rows, columns)
        guard longest > 0, longest <= 40, abs(rows - columns) * 3 <= longest + 2 else { return 0 }
        let (top, side) = (Array(second), Array(first))
        // Costs of the row before the last, the last row, and the current row. Every row is written completely before
        // it is read.
        var (older, old, new) = (
            [Int](repeating: 0, count: columns + 1), [Int](repeating: 0, count: columns + 1),
            [Int](repeating: 0, count: columns + 1)
        )
        for column in 1..<(columns + 1) { new[column] = new[column - 1] + EditCost.letter }
        let limit = longest * EditCost.limit
        for row in 1..<(rows + 1) {
            swap(&older, &old)
            swap(&old, &new)
            new[0] = old[0] + EditCost.letter
            var least = new[0]
            for column in 1..<(columns + 1) {
                let (letter, other) = (side[row - 1], top[column - 1])
                var cost = old[column - 1] + (letter == other ? 0 : replacementCost(letter, other))
                let extra = row > 1 && side[row - 2] == letter ? EditCost.repeatedLetter : EditCost.letter
                let missing = column > 1 && top[column - 2] == other ? EditCost.repeatedLetter : EditCost.letter
                cost = min(cost, old[column] + extra, new[column - 1] + missing)
                if row > 1, column > 1, letter == top[column - 2], side[row - 2] == other {
                    cost = min(cost, older[column - 2] + EditCost.swap)
                }
                new[column] = cost
                least = min(least, cost)
            }
            if least > limit { return 0 }
        }
        let cost = new[columns]
        return cost > limit ? 0 : 1 - Float(cost) / Float(longest * EditCost.zero)
    }

    /// The cost of replacing a letter by another one.
    private static func replacementCost(_ first: UInt8, _ second: UInt8) -> Int {
        if shapeLetter[Int(first)] == shapeLetter[Int(second)] { return EditCost.sameShape }
        // Pairs of letters of similar shape: `e` and `c`, `c` and `o`.
        let shapes: StaticString = "eccooauvvynhnumnitftrnsgzsbhaeoe"
        return shapes.withUTF8Buffer { letters in
            for index in stride(from: 0, to: letters.count - 1, by: 2)
            where letters[index] == first && letters[index + 1] == second
                || letters[index] == second && letters[index + 1] == first
            {
                return EditCost.similarShape
            }
            return EditCost.otherShape
        }
    }
}
