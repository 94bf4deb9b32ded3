extension Catalogue {
    /// Products of the chain that a new printed name may mean, best first.
    ///
    /// Products of other chains are not included: comparison groups connect them.
    package func suggestProducts(for item: PrintedItem, limit: Int = 3) -> [Suggestion] {
        let profile = NameProfile(item.name, vocabulary: vocabulary)
        guard profile.key != nil else { return [] }
        let sold = entries.indices.filter { entries[$0].chains.contains(item.chain) || entries[$0].chains.isEmpty }
        let near = nearest(sold) { index in
            entries[index].profiles.lazy.map { profile.trigramSimilarity(to: $0) }.max() ?? 0
        }
        let ranked = near.map { likeness(of: item, profile, to: entries[$0]) }.filter { $0.score >= 0.5 }
        return best(ranked, limit: limit)
    }

    /// Products and groups together, best first: the suggestions that pages show for a new name.
    package func suggestions(for item: PrintedItem, limit: Int = 3) -> [Suggestion] {
        best(suggestProducts(for: item, limit: limit) + suggestGroups(for: item, limit: limit), limit: limit)
    }

    /// The `nearestCount` candidates with the highest `closeness`, which is fast to compute. Only these are compared in
    /// full.
    func nearest<Candidate>(_ candidates: [Candidate], by closeness: (Candidate) -> Double) -> [Candidate] {
        let measured = candidates.enumerated().map { (position: $0.offset, closeness: closeness($0.element)) }
        return measured.filter { $0.closeness > 0 }
            .sorted { ($0.closeness, $1.position) > ($1.closeness, $0.position) }
            .prefix(Self.nearestCount).map { candidates[$0.position] }
    }

    private static var nearestCount: Int { 24 }

    func best(_ suggestions: [Suggestion], limit: Int) -> [Suggestion] {
        Array(suggestions.sorted { ($0.score, $1.target.order) > ($1.score, $0.target.order) }.prefix(limit))
    }

    /// Scores a product for a printed item.
    private func likeness(of item: PrintedItem, _ profile: NameProfile, to entry: Entry) -> Suggestion {
        var best = 0.0
        var reasons: Set<Suggestion.Reason> = []
        for candidate in entry.profiles {
            let letters = max(profile.keySimilarity(to: candidate), profile.trigramSimilarity(to: candidate))
            let words = profile.wordSimilarity(to: candidate, informativeness: informativeness)
            var score = max(0.95 * letters, 0.85 * words + 0.05 * letters)
            if profile.brand != candidate.brand {
                // Tills often add or drop the brand, but two different brands are two products.
                score -= profile.brand == nil || candidate.brand == nil ? 0.05 : 0.35
            }
            if profile.percentages != candidate.percentages {
                score -= profile.percentages.isEmpty || candidate.percentages.isEmpty ? 0.03 : 0.3
            }
            if profile.isOrganic != candidate.isOrganic { score -= 0.15 }
            if score > best {
                best = score
                reasons = words > 0.6 ? [.sameWords] : []
                if profile.brand != nil, profile.brand == candidate.brand { reasons.insert(.sameBrand) }
            }
        }
        if let size = profile.size?.total ?? item.quantity?.measured, let other = entry.size {
            if size.isSameAmount(as: other) {
                best += 0.05
                reasons.insert(.sameSize)
            } else if size.unit.base != other.unit.base {
                best -= 0.2
            } else if !size.isWithin(factor: 1.3, of: other) {
                best -= 0.25
            } else {
                best -= 0.04
            }
        }
        if let price = item.price, let other = entry.product.price, let ratio = price.ratio(to: other) {
            if (0.77...1.3).contains(ratio) {
                best += 0.04
                reasons.insert(.similarPrice)
            } else if !(0.5...2).contains(ratio) {
                best -= 0.12
            }
        }
        return Suggestion(target: .product(entry.product.id), score: min(max(best, 0), 1), reasons: reasons)
    }
}

extension Suggestion.Target {
    /// A key that orders suggestions with equal scores.
    fileprivate var order: String {
        switch self {
        case .product(let id): "0" + id.description
        case .group(let id): "1" + id.description
        }
    }
}

extension Quantity {
    /// The quantity if it is a mass, volume or length; nil if it is a number of pieces.
    var measured: Quantity? { unit == .piece ? nil : self }

    /// Whether neither quantity is more than `factor` times the other. Both have the same base unit.
    func isWithin(factor: Double, of other: Quantity) -> Bool {
        let left = Double(thousandths) / Double(unit.perBase)
        let right = Double(other.thousandths) / Double(other.unit.perBase)
        return left > 0 && right > 0 && max(left / right, right / left) <= factor
    }
}

extension Money {
    /// This amount / `other`. Nil unless both are positive and have the same currency.
    func ratio(to other: Money) -> Double? {
        guard currency == other.currency, minorUnits > 0, other.minorUnits > 0 else { return nil }
        return Double(minorUnits) / Double(other.minorUnits)
    }
}
