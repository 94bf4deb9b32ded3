import Recognition

extension TokenJoining {
    /// Reads prices in forint, which have more digits than others: `74900 Ft`, `62.000 Ft`.
    static func withForint(_ tokens: [ListToken]) -> [ListToken] {
        guard areForint(tokens) else { return tokens }
        return tokens.map { token in
            guard token.kind == .word, var price = PrintedPrice(token.text + "Ft") else { return token }
            var token = token
            price.currency = nil
            token.kind = .price(price)
            return token
        }
    }

    private static func areForint(_ tokens: [ListToken]) -> Bool {
        tokens.contains { $0.kind == .currency("HUF") || $0.text.hasSuffix("Ft") }
    }

    /// Joins a price whose thousands are separated by a blank: `1 250,00 €`.
    static func withThousands(_ tokens: [ListToken]) -> [ListToken] {
        var joined: [ListToken] = []
        // Only prices in forint have more than five digits.
        let areForint = areForint(tokens)
        for (index, token) in tokens.enumerated() {
            if let last = joined.last, last.isDigits, last.text.count <= (areForint ? 3 : 2),
                !last.text.hasPrefix("0"), token.isPrice || token.hasNoHundreds,
                token.text.prefix(while: \.isNumber).count == 3,
                tokens[(index + 1)...].allSatisfy({ $0.mayBelongToPrice || $0.hasNoHundreds }),
                (token.box.x - last.box.maxX) * 2 <= min(last.box.height, token.box.height),
                let price = thousands(last.text + token.text, areForint: areForint)
            {
                joined[joined.count - 1] = union(last, token, .price(price))
            } else {
                joined.append(token)
            }
        }
        return joined
    }

    private static func thousands(_ text: String, areForint: Bool) -> PrintedPrice? {
        if let price = PrintedPrice(text) { return price }
        guard areForint, var price = PrintedPrice(text + "Ft") else { return nil }
        price.currency = nil
        return price
    }

    /// Reads the prices of `(Glas 9)`, `(9 Glas)` and `(€ 9)`. A number in brackets after a price becomes a separator
    /// until `BracketedPrices` compares the rows: it may be a price or a footnote.
    static func readBrackets(_ tokens: inout [ListToken]) {
        for index in tokens.indices where tokens[index].kind == .word {
            let text = tokens[index].text
            let (isFirst, isLast) = (text.hasPrefix("("), text.hasSuffix(")"))
            guard isFirst != isLast, let price = PrintedPrice(text.filter { $0 != "(" && $0 != ")" }) else { continue }
            let neighbour = isFirst ? index + 1 : index - 1
            guard tokens.indices.contains(neighbour) else { continue }
            if tokens[neighbour].statesSizeOrServing || tokens[neighbour].isCurrency {
                tokens[index].kind = .price(price)
            }
        }
        for index in tokens.indices.dropFirst() where tokens[index].bracketedPrice != nil {
            if tokens[index - 1].isPrice || tokens[index - 1].isCurrency { tokens[index].kind = .separator }
        }
    }

    /// Removes signs of footnotes and allergens after the last price: `48,00 *`, `4,50 A,C,O`, `28,- (1,2)`.
    static func removeFootnotes(_ tokens: inout [ListToken]) {
        while tokens.count > 1, let last = tokens.last, last.kind == .word, isFootnote(last.text) {
            switch tokens[tokens.count - 2].kind {
            case .price, .currency: tokens.removeLast()
            default: return
            }
        }
    }

    private static func isFootnote(_ text: String) -> Bool {
        if text.allSatisfy({ $0 == "*" }) { return true }
        let isBracketed = text.hasSuffix(")")
        let parts = text.filter { $0 != "(" && $0 != ")" }.split(separator: ",", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            part.count == 1 && part.allSatisfy { ("A"..."R").contains($0) }
                || isBracketed && (1...2).contains(part.count) && part.allSatisfy(\.isNumber)
        }
    }
}

extension ListToken {
    /// Whether the token may be the end of a price with separate thousands, but no price: `000` in `62 000 Ft`.
    fileprivate var hasNoHundreds: Bool { kind == .word && text.hasPrefix("000") }

    /// Whether the token is a price of digits only.
    fileprivate var isDigits: Bool { if case .price(let price) = kind { price.hasOnlyDigits } else { false } }
}
