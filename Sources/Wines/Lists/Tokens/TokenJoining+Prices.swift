import Recognition

extension TokenJoining {
    /// Joins a price whose thousands are separated by a blank: `1 250,00 €`.
    static func withThousands(_ tokens: [ListToken]) -> [ListToken] {
        var joined: [ListToken] = []
        for (index, token) in tokens.enumerated() {
            if let last = joined.last, last.isDigits, last.text.count <= 2, !last.text.hasPrefix("0"), token.isPrice,
                token.text.prefix(while: \.isNumber).count == 3, tokens[index...].allSatisfy(\.mayBelongToPrice),
                (token.box.x - last.box.maxX) * 2 <= min(last.box.height, token.box.height),
                let price = PrintedPrice(last.text + token.text)
            {
                joined[joined.count - 1] = union(last, token, .price(price))
            } else {
                joined.append(token)
            }
        }
        return joined
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
    /// Whether the token is a price of digits only.
    fileprivate var isDigits: Bool { if case .price(let price) = kind { price.hasOnlyDigits } else { false } }
}
