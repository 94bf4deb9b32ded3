import Recognition

/// Identifies the chain by its name in the head, its wording, its VAT number and the format of its bar codes.
struct ChainFinder {
    let chain: ChainFacts.Chain?

    /// - Parameter name: the line of the head that names the store.
    init(_ lines: [ReadLine], head: Range<Int>, name: ReadLine?, facts: ChainFacts, codes: [RecognizedCode]) {
        // Column headers such as `MwSt  Netto` and `Menge  Preis` are not store names.
        let top = lines[..<min(lines.count, max(8, min(head.upperBound, 14)))].enumerated().filter { index, line in
            guard !line.has(.vatHeader), line.amounts.isEmpty, !line.begins(with: .quantityLabel) else { return false }
            // Lines below the head need an exact match: `BILLY REGAL` is an article, not a misread `Billa`.
            return index < head.upperBound
                || facts.chains.contains { chain in
                    chain.logos.contains { $0.match(in: line.line.skeleton)?.distance == 0 }
                }
        }.map(\.element)
        let numbers = Self.numbers(lines)
        // The topmost name is the name of the store. Its owner and other brands are printed below.
        let highest = top.first { line in facts.chains.contains { Self.logoScore($0, line) >= 4 } }
        let isNamed = name.map(Self.isClearName) ?? false
        let addresses = codes.compactMap(Self.address)
        var best: (score: Int, chain: ChainFacts.Chain)?
        for chain in facts.chains {
            var score = Self.vatScore(chain, numbers)
            for line in top { score += Self.logoScore(chain, line) }
            if score > 0, let highest, Self.logoScore(chain, highest) >= 4 { score += 6 }
            if codes.contains(where: { code in chain.dateCodes.contains { $0.identifiesChain(code) } }) { score += 4 }
            let text = Self.textScore(chain, lines, addresses)
            // A web address such as `www.india.de` could be a misread `www.lidl.de`. If the store has a clear name,
            // such a match does not count.
            score += text < 4 && score == 0 && isNamed ? 0 : text
            if score >= 2, score > best?.score ?? 0 { best = (score, chain) }
        }
        chain = best?.chain ?? (isNamed ? nil : Self.byStyle(lines, facts))
    }

    /// How well a line matches a logo: 0 for no match, 2 for misread letters, otherwise 3 plus the number of words.
    private static func logoScore(_ chain: ChainFacts.Chain, _ line: ReadLine) -> Int {
        var score = 0
        for logo in chain.logos {
            guard let match = logo.match(in: line.line.skeleton), match.words.lowerBound <= 1 else { continue }
            // `Hotel Metro`, `Saturn Apotheke`: with a trade beside it, the name belongs to another company.
            if let trade = line.roles[.trade], trade.distance == 0, !trade.words.overlaps(match.words) { continue }
            // `Brackeler Hellweg 301` and `Hellweg 44` are addresses.
            if StoreReader.isStreet(line.line.string), match.words.lowerBound > 0 || hasHouseNumber(line, match) {
                continue
            }
            if match.distance > 0, line.roles[.columnHeader]?.words.overlaps(match.words) ?? false { continue }
            // `MARKT` is not `V-MARKT`: poor print changes letters but rarely drops or adds one.
            if match.distance > 0 {
                let words = line.line.skeletons[match.words].joined()
                let isOther = words.count != logo.skeleton.count && logo.skeleton.count <= 8
                // `BELLA` in clear print is not `BILLA`.
                let isSure = line.line.words[match.words].allSatisfy { $0.confidence >= Confidence.sureName }
                if words.first != logo.skeleton.first || isOther || isSure { continue }
            }
            // A name of up to four letters within a longer line is not evidence of a chain.
            if logo.skeleton.count <= 4, match.words.count < line.line.words.count, match.words.lowerBound > 0 {
                continue
            }
            // Initials of an owner: neither `H. M. Getränke` nor `H.M. Getränke` is `H&M`.
            let areInitials = match.words.count == 2 || line.line.words[match.words.lowerBound].text.contains(".")
            if logo.skeleton.count <= 2, areInitials, line.line.words.count > match.words.count { continue }
            // A longer name has a higher score: `BILLA PLUS` has more than `BILLA`.
            score = max(score, match.distance == 0 ? 3 + match.words.count : 2)
        }
        return score
    }

    private static func hasHouseNumber(_ line: ReadLine, _ match: PhraseMatch) -> Bool {
        guard let next = line.line.words[safe: match.words.upperBound + 1]?.text else { return false }
        let digits = next.prefix(while: \.isNumber)
        return (1...3).contains(digits.count) && next.dropFirst(digits.count).count(where: \.isLetter) <= 1
    }

    private static func textScore(_ chain: ChainFacts.Chain, _ lines: [ReadLine], _ addresses: [SkeletonLine]) -> Int {
        if addresses.contains(where: { address in
            chain.texts.contains { $0.match(in: address)?.distance == 0 }
        }) {
            return 4
        }
        var score = 0
        for line in lines {
            for text in chain.texts {
                guard let match = text.match(in: line.line.skeleton) else { continue }
                if match.distance == 0 { return 4 }
                // A short text may match a barely legible word by chance.
                let isRead = line.line.words[match.words].contains { $0.confidence >= Confidence.recognisable }
                if isRead || text.skeleton.count >= 8 { score = 2 }
            }
        }
        return score
    }

    /// Returns the host of a web address in a bar code as words: `WWW TEGUT COM` for `https://www.tegut.com/app`.
    private static func address(_ code: RecognizedCode) -> SkeletonLine? {
        let parts = code.text.prefix(200).split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, ["http:", "https:"].contains(parts[0].lowercased()), parts[1].isEmpty,
            let host = parts.last?.prefix(while: { $0 != "/" && $0 != "?" && $0 != ":" })
        else { return nil }
        let names = host.split(separator: ".").suffix(2)
        guard names.count == 2 else { return nil }
        return SkeletonLine((["www"] + names).map { Skeleton.of($0.unicodeScalars) })
    }

    // MARK: VAT numbers

    /// Returns the characters of each line with a word for a VAT number. Digits, and letters that resemble digits,
    /// become numbers 0…9; other characters become -1.
    private static func numbers(_ lines: [ReadLine]) -> [[Int64]] {
        var result: [[Int64]] = []
        for line in lines {
            let packed = line.line.text.filter { $0.isDigit || $0.isLatinLetter }
            let text = PrintedLine.string(packed[...]).uppercased()
            guard packed.count <= 40, line.line.digitCount >= 6,
                ["DE", "ATU", "UST", "UID", "IDN", "CHE"].contains(where: text.contains)
            else { continue }
            result.append(packed.map { Confusions.digit($0) ?? -1 })
        }
        return result
    }

    /// The score of a VAT number of the chain on the receipt: 6, or 4 with one wrong digit, else 0.
    private static func vatScore(_ chain: ChainFacts.Chain, _ numbers: [[Int64]]) -> Int {
        var score = 0
        for vat in chain.vatNumbers {
            let own = vat.unicodeScalars.filter(\.isDigit).map(\.digitValue)
            guard own.count >= 8 else { continue }
            for run in numbers where run.count >= own.count {
                for start in 0...(run.count - own.count) {
                    let wrong = zip(own, run[start...]).count { $0 != $1 }
                    if wrong == 0 { return 6 }
                    if wrong == 1 { score = 4 }
                }
            }
        }
        return score
    }

    // MARK: Wording

    /// Whether the line clearly names a store. The style of the receipt then does not identify a chain.
    /// `Markus Muster oHG` does not count: this company runs a store of a chain and is printed below the chain's logo.
    private static func isClearName(_ line: ReadLine) -> Bool {
        let words = line.line.words
        return words.contains { word in
            word.confidence >= Confidence.sure && word.text.count(where: \.isLetter) >= 4
                && word.text.allSatisfy { $0.isLetter || "-.&'´’,".contains($0) }
        } && !words.contains { $0.text.lowercased() == "ohg" }
    }

    /// The chain with the most wordings on the receipt; nil if it has fewer than two or if several chains have the
    /// most.
    private static func byStyle(_ lines: [ReadLine], _ facts: ChainFacts) -> ChainFacts.Chain? {
        let hits = facts.chains.map { chain in
            chain.styles.count { style in lines.contains { style.match(in: $0.line.skeleton) != nil } }
        }
        guard let most = hits.max(), most >= 2 else { return nil }
        let best = hits.indices.filter { hits[$0] == most }
        return best.count == 1 ? facts.chains[best[0]] : nil
    }
}
