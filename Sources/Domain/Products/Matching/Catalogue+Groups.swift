extension Catalogue {
    /// The product for which a group is searched.
    struct Subject {
        let profiles: [NameProfile]
        let baseUnit: MeasureUnit?
        let basePrice: UnitPrice?
        let category: String?
        let isOrganic: Bool
        let size: Quantity?
        /// Nil when no price is known.
        let currency: Currency?
    }

    /// Comparison groups for the product of a new printed name, best first.
    package func suggestGroups(for item: PrintedItem, limit: Int = 3) -> [Suggestion] {
        let profile = NameProfile(item.name, vocabulary: vocabulary)
        let size = profile.size?.total ?? item.quantity?.measured
        let basePrice = item.price.flatMap { price in size.flatMap { try? UnitPrice.base(price, for: $0) } }
        return suggestGroups(
            for: Subject(
                profiles: [profile], baseUnit: size?.unit.base ?? profile.baseUnit, basePrice: basePrice,
                category: profile.categoryGuess, isOrganic: profile.isOrganic, size: size,
                currency: item.price?.currency),
            limit: limit)
    }

    /// Comparison groups for a product of the catalogue, best first.
    package func suggestGroups(forProduct id: ProductID, limit: Int = 3) -> [Suggestion] {
        guard let entry = entry(of: id) else { return [] }
        return suggestGroups(for: Subject(entry), limit: limit)
    }

    private func suggestGroups(for subject: Subject, limit: Int) -> [Suggestion] {
        let near = nearest(groups) { group in
            let known = [group.profile] + members(of: group.group.id).flatMap(\.profiles)
            return subject.profiles.lazy.flatMap { one in known.lazy.map { one.trigramSimilarity(to: $0) } }.max() ?? 0
        }
        return best(near.map { likeness(of: subject, to: $0) }.filter { $0.score >= 0.35 }, limit: limit)
    }

    /// Scores a group for a subject.
    private func likeness(of subject: Subject, to group: GroupEntry) -> Suggestion {
        let members = members(of: group.group.id)
        let currencies = members.compactMap(\.product.price?.currency)
        // Prices in different currencies are not compared.
        if let currency = subject.currency, !currencies.isEmpty, !currencies.contains(currency) {
            return Suggestion(target: .group(group.group.id), score: 0, reasons: [])
        }
        var score = 0.0
        for profile in subject.profiles {
            score = max(score, kindSimilarity(profile, group.profile))
            for member in members {
                for other in member.profiles { score = max(score, kindSimilarity(profile, other)) }
            }
        }
        var reasons: Set<Suggestion.Reason> = score > 0.55 ? [.sameWords] : []
        if let unit = subject.baseUnit {
            // If no size is printed, the unit is the piece, so a piece does not contradict another unit.
            if unit == group.group.baseUnit { score += 0.04 } else if unit != .piece { score -= 0.25 }
        }
        if let category = subject.category, let other = group.group.category ?? group.profile.categoryGuess {
            if category == other {
                score += 0.05
                reasons.insert(.sameCategory)
            } else {
                score -= 0.15
            }
        }
        let organic = members.count(where: \.isOrganic)
        let groupIsOrganic = group.profile.isOrganic || !members.isEmpty && organic * 2 > members.count
        if subject.isOrganic != groupIsOrganic { score -= 0.12 }
        if let size = subject.size, members.contains(where: { $0.size?.isSameAmount(as: size) == true }) {
            score += 0.03
            reasons.insert(.sameSize)
        }
        let ratios = members.compactMap { member in subject.basePrice.flatMap { $0.ratio(to: member.basePrice) } }
        if !ratios.isEmpty {
            if ratios.contains(where: { (0.6...1.67).contains($0) }) {
                score += 0.03
                reasons.insert(.similarPrice)
            } else if !ratios.contains(where: { (0.33...3).contains($0) }) {
                score -= 0.15
            }
        }
        return Suggestion(target: .group(group.group.id), score: min(max(score, 0), 1), reasons: reasons)
    }

    /// The similarity of the kinds of product that two names mean, about 0…1. Words that name a kind of product count
    /// most. Equal brands add a little; different brands subtract nothing.
    func kindSimilarity(_ left: NameProfile, _ right: NameProfile) -> Double {
        let words = left.wordSimilarity(to: right, informativeness: informativeness)
        var score = 0.7 * words
        if !left.productWords.isEmpty, !right.productWords.isEmpty {
            let shared = left.productWords.count(where: { right.productWords.contains($0) })
            score += 0.22 * Double(2 * shared) / Double(left.productWords.count + right.productWords.count)
            if shared == 0 { score -= 0.1 }
        }
        if left.words.isEmpty, right.words.isEmpty, left.brand != nil { score = 0.6 }
        if let brand = left.brand, brand == right.brand { score += 0.06 }
        if !left.percentages.isEmpty, !right.percentages.isEmpty {
            score += left.percentages == right.percentages ? 0.05 : -0.2
        }
        return score
    }
}

extension Catalogue.Subject {
    init(_ entry: Catalogue.Entry) {
        self.init(
            profiles: entry.profiles,
            baseUnit: entry.size?.unit.base ?? entry.profiles.lazy.compactMap(\.baseUnit).first,
            basePrice: entry.basePrice, category: entry.category, isOrganic: entry.isOrganic, size: entry.size,
            currency: entry.product.price?.currency)
    }
}

extension UnitPrice {
    /// This price / `other`. Nil unless both are positive and have the same unit and currency.
    func ratio(to other: UnitPrice?) -> Double? {
        guard let other, unit == other.unit, currency == other.currency, thousandthsOfMinor > 0,
            other.thousandthsOfMinor > 0
        else { return nil }
        return Double(thousandthsOfMinor) / Double(other.thousandthsOfMinor)
    }
}
