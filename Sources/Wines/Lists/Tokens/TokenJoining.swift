import Recognition

/// Joins and corrects the tokens of a line whose meaning depends on their neighbours.
enum TokenJoining {
    static func joined(_ tokens: [ListToken]) -> [ListToken] {
        var tokens = withUnits(withoutAllergens(withoutStrengths(tokens)))
        tokens = withDeciliters(tokens)
        tokens = withSizeWords(tokens)
        tokens = withHalfBottles(tokens)
        tokens = withThousands(withForint(tokens))
        keepDashes(&tokens)
        readBrackets(&tokens)
        removeFootnotes(&tokens)
        return tokens
    }

    /// Marks alcoholic strengths such as `12,5 %`, which look like prices, as words.
    private static func withoutStrengths(_ tokens: [ListToken]) -> [ListToken] {
        var tokens = tokens
        for (index, next) in zip(tokens.indices, tokens.indices.dropFirst())
        where tokens[index].isPrice && tokens[next].text.hasPrefix("%") { tokens[index].kind = .word }
        return tokens
    }

    /// Joins a number with the unit that follows it (`0,75` and `l`) or precedes it (`cl` and `75`).
    private static func withUnits(_ tokens: [ListToken]) -> [ListToken] {
        var joined: [ListToken] = []
        for token in tokens {
            if let last = joined.last, isClose(last, token),
                let size = size(number: last, unit: token)
                    ?? (endsWithUnit(joined) ? nil : size(unit: last, number: token))
            {
                joined[joined.count - 1] = union(last, token, .size(size))
            } else {
                joined.append(token)
            }
        }
        return joined
    }

    /// Whether the last token is a unit after its number, as `cl` in `16 cl`. The next number then does not belong to
    /// this unit.
    private static func endsWithUnit(_ tokens: [ListToken]) -> Bool {
        guard let number = tokens.dropLast().last, let unit = tokens.last else { return false }
        return number.isPrice && isClose(number, unit)
    }

    private static func size(number: ListToken, unit: ListToken) -> Int? {
        guard number.text.first?.isNumber == true || number.text.first == "(",
            let unit = PrintedSize.unit(unit.text, after: number.text) ?? misreadLiter(unit, after: number)
        else { return nil }
        return PrintedSize.size(number.text.filter { $0 != "(" }, unit: unit)
    }

    /// The unit of a `1` that is a misread `l` after a number, as in `0,75 l`.
    private static func misreadLiter(_ token: ListToken, after number: ListToken) -> Int? {
        let isPart = number.text.hasPrefix("0,") || number.text.hasPrefix("0.")
        return isPart && token.text == "1" ? PrintedSize.unit("l", after: "") : nil
    }

    /// Units that lists print before the number. `dl` is not one of them: in `dl 5.00`, the number is the price.
    private static let leadingUnits: Set = ["cl", "cl.", "ml", "ml.", "lt", "lt."]

    private static func size(unit: ListToken, number: ListToken) -> Int? {
        let text = unit.text.lowercased()
        guard unit.kind == .word, leadingUnits.contains(text), let unit = PrintedSize.unit(text, after: "") else {
            return nil
        }
        return PrintedSize.size(number.text, unit: unit)
    }

    /// Reads `dl` without a number as one decilitre, as in `dl 6.50` and `6.50/dl`.
    private static func withDeciliters(_ tokens: [ListToken]) -> [ListToken] {
        var tokens = tokens
        for index in tokens.indices where tokens[index].kind == .word {
            guard ["dl", "dl."].contains(tokens[index].text.lowercased()) else { continue }
            if index > 0, isClose(tokens[index - 1], tokens[index]), tokens[index - 1].kind != .separator,
                !ListTokens.isConnecting(tokens[index - 1].text)
            {
                continue
            }
            tokens[index].kind = .size(100)
        }
        return tokens
    }

    /// Joins a word for a bottle with the word or fraction before it: `halbe Flasche`, `1/2 Fl.`, `Magnum Flasche`.
    /// Marks the `1` of `1 Glas` as a separator.
    private static func withHalfBottles(_ tokens: [ListToken]) -> [ListToken] {
        var joined: [ListToken] = []
        for token in withLoneHalf(tokens) {
            guard let last = joined.last, case .serving(let serving) = token.kind, isClose(last, token) else {
                joined.append(token)
                continue
            }
            // The heads of two columns may be close: `Halbe  Flasche`.
            let isOneBlank = (token.box.x - last.box.maxX) * 2 <= max(token.box.height, last.box.height)
            if serving == .magnum, isOneBlank, ["double", "doppel"].contains(last.text.lowercased()) {
                joined[joined.count - 1] = union(last, token, .serving(.magnum))
                continue
            }
            if serving == .bottle, isOneBlank, last.kind == .serving(.half) || last.kind == .serving(.magnum) {
                joined[joined.count - 1] = union(last, token, last.kind)
                continue
            }
            switch last.text {
            case "1/2" where serving == .bottle, "½" where serving == .bottle:
                joined[joined.count - 1] = union(last, token, .serving(.half))
            case "1/1" where serving == .bottle:
                joined[joined.count - 1] = union(last, token, .serving(.bottle))
            case "1":
                joined[joined.count - 1].kind = .separator
                joined.append(token)
            default: joined.append(token)
            }
        }
        return joined
    }

    /// Reads `½` between two prices without a size as a half bottle, not as half a litre: `38   ½ 21`.
    private static func withLoneHalf(_ tokens: [ListToken]) -> [ListToken] {
        let labels = tokens.indices.filter { tokens[$0].statesSizeOrServing }
        guard labels.count == 1, ["½", "1/2"].contains(tokens[labels[0]].text), tokens.count(where: \.isPrice) > 1
        else {
            return tokens
        }
        var tokens = tokens
        tokens[labels[0]].kind = .serving(.half)
        return tokens
    }

    /// Marks a dash between two close words as a word, because it is a part of a name, and not in the place of a price:
    /// `Château Figeac – Saint-Émilion 2014`.
    private static func keepDashes(_ tokens: inout [ListToken]) {
        for index in tokens.indices.dropFirst().dropLast() where tokens[index].kind == .none {
            let (before, after) = (tokens[index - 1], tokens[index + 1])
            guard !before.mayBelongToPrice, !after.mayBelongToPrice, isClose(before, tokens[index]),
                isClose(tokens[index], after)
            else { continue }
            tokens[index].kind = .word
        }
    }

    /// Whether two neighbours are at most about two blanks apart.
    static func isClose(_ left: ListToken, _ right: ListToken) -> Bool {
        right.box.x - left.box.maxX <= max(left.box.height, right.box.height)
    }

    static func union(_ left: ListToken, _ right: ListToken, _ kind: ListToken.Kind) -> ListToken {
        ListToken(
            text: left.text + " " + right.text, box: left.box.union(right.box),
            confidence: min(left.confidence, right.confidence), kind: kind)
    }
}
