extension Catalogue {
    /// Groups that could be formed from products without a group, best first.
    ///
    /// A product joins a proposal only if it is similar to every product in it.
    package func suggestNewGroups(limit: Int = 10) -> [GroupProposal] {
        var byWord: [String: [Int]] = [:]
        for (index, entry) in entries.enumerated() where entry.product.group == nil {
            for word in Set(entry.profiles.flatMap(\.productWords)) { byWord[word, default: []].append(index) }
        }
        var pairs: [Pair: Double] = [:]
        for indices in byWord.values {
            for (position, left) in indices.enumerated() {
                for right in indices[(position + 1)...] where pairs[Pair(left, right)] == nil {
                    pairs[Pair(left, right)] = pairLikeness(entries[left], entries[right])
                }
            }
        }
        var taken: Set<Int> = []
        var proposals: [GroupProposal] = []
        let ranked = pairs.filter { $0.value >= 0.62 }.sorted {
            ($0.value, $1.key.low, $1.key.high) > ($1.value, $0.key.low, $0.key.high)
        }
        for (pair, score) in ranked where !taken.contains(pair.low) && !taken.contains(pair.high) {
            guard entries[pair.low].chains != entries[pair.high].chains else { continue }
            var members = [pair.low, pair.high]
            let neighbours = Set(entries[pair.low].profiles.flatMap(\.productWords)).flatMap { byWord[$0] ?? [] }
            for candidate in Set(neighbours).sorted() where !members.contains(candidate) && !taken.contains(candidate) {
                if members.allSatisfy({ (pairs[Pair($0, candidate)] ?? 0) >= 0.55 }) { members.append(candidate) }
            }
            taken.formUnion(members)
            proposals.append(proposal(members.map { entries[$0] }, score: min(score, 1)))
        }
        return Array(proposals.prefix(limit))
    }

    private struct Pair: Hashable {
        let low: Int
        let high: Int

        init(_ left: Int, _ right: Int) {
            low = min(left, right)
            high = max(left, right)
        }
    }

    /// The similarity of two products as members of one new group.
    private func pairLikeness(_ left: Entry, _ right: Entry) -> Double {
        // A person confirms a group with one tap. Products of different categories, base units or percentages are
        // therefore never proposed together, and organic products never together with others.
        if let one = left.product.category, let other = right.product.category, one != other { return 0 }
        if let one = left.size, let other = right.size, one.unit.base != other.unit.base { return 0 }
        if left.isOrganic != right.isOrganic || haveDifferentPercentages(left, right) { return 0 }
        // Prices in different currencies are not compared.
        if let one = left.product.price?.currency, let other = right.product.price?.currency, one != other { return 0 }
        var score = 0.0
        for one in left.profiles { for other in right.profiles { score = max(score, kindSimilarity(one, other)) } }
        if let one = left.category, let other = right.category { score += one == other ? 0.05 : -0.15 }
        if let one = left.size, let other = right.size {
            if one.isSameAmount(as: other) { score += 0.04 }
        }
        if let ratio = left.basePrice.flatMap({ $0.ratio(to: right.basePrice) }), !(0.4...2.5).contains(ratio) {
            score -= 0.15
        }
        return score
    }

    /// Whether both products have percentages, but no percentage of one product is close to a percentage of the other,
    /// such as 1,5 % and 3,5 %. Small differences are ignored: the same yoghurt has 3,5 % in one chain and 3,6 % in
    /// another.
    private func haveDifferentPercentages(_ left: Entry, _ right: Entry) -> Bool {
        let (some, others) = (left.profiles.flatMap(\.percentages), right.profiles.flatMap(\.percentages))
        guard !some.isEmpty, !others.isEmpty else { return false }
        return !some.contains { one in others.contains { 100 * max(one, $0) <= 115 * min(one, $0) } }
    }

    private func proposal(_ members: [Entry], score: Double) -> GroupProposal {
        let units = members.compactMap { $0.size?.unit.base ?? $0.profiles.lazy.compactMap(\.baseUnit).first }
        let unit = Dictionary(grouping: units, by: { $0 }).max {
            ($0.value.count, $1.key.rawValue) < ($1.value.count, $0.key.rawValue)
        }
        return GroupProposal(
            name: sharedName(of: members), baseUnit: unit?.key ?? .piece,
            category: members.lazy.compactMap(\.category).first, products: members.map(\.product.id), score: score)
    }

    /// The shortest product name without brand and size.
    private func sharedName(of members: [Entry]) -> String {
        let names = members.map { entry in
            let readable = vocabulary.readableName(entry.product.name)
            return readable.strippingBrandAndSize(brand: entry.profiles.lazy.compactMap(\.brand).first)
        }
        return names.filter { !$0.isEmpty }.min { ($0.count, $0) < ($1.count, $1) } ?? members[0].product.name
    }
}

extension String {
    /// The name without the leading words of `brand` and without sizes. Percentages are kept.
    fileprivate func strippingBrandAndSize(brand: String?) -> String {
        var words = split(separator: " ").map(String.init)
        if let brand {
            let parts = FoldedText.fold(brand).filter { $0.isLetter || $0.isNumber }
            var prefix = ""
            for (index, word) in words.enumerated() {
                prefix += FoldedText.fold(word).filter { $0.isLetter || $0.isNumber }
                if prefix == parts {
                    words.removeFirst(index + 1)
                    break
                }
            }
        }
        var result: [String] = []
        var index = 0
        while index < words.count {
            let startsWithDigit = words[index].first?.isNumber == true
            if startsWithDigit, index + 1 < words.count, words[index + 1] == "%" {
                result += [words[index], "%"]
                index += 2
            } else if startsWithDigit {
                index += index + 1 < words.count && MeasureUnit(parsing: words[index + 1]) != nil ? 2 : 1
            } else {
                result.append(words[index])
                index += 1
            }
        }
        // A word that introduces a figure is removed with it: `Windeln Größe 4`.
        while result.count > 1, let last = result.last, Self.wordsBeforeFigures.contains(FoldedText.fold(last)) {
            result.removeLast()
        }
        return result.joined(separator: " ")
    }

    private static let wordsBeforeFigures: Set<String> = Set(
        ["Größe", "Gr", "Gr.", "Nr", "Nr.", "Nummer", "Stufe", "Typ", "ca", "ca.", "à", "je", "per", "mit", "x", "-"]
            .map(FoldedText.fold))
}
