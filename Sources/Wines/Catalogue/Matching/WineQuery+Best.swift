extension WineQuery {
    /// The number of labels that are compared word by word.
    private static let comparedLabelCount = 48

    /// The best labels with calibrated confidences, one wine of each.
    func best(limit: Int) -> [WineMatch] {
        let scores = CandidateLabels(self).best(Self.comparedLabelCount).map { LabelScore($0, self) }
            .sorted { ($0.total, $1.label) > ($1.total, $0.label) }
        return scores.prefix(limit).enumerated().compactMap { rank, score in
            let rival = rank == 0 ? scores.dropFirst().first : scores.first
            let features = MatchFeatures(score, rival: rival)
            guard let (wine, hasVintage) = wine(of: score.label) else { return nil }
            return WineMatch(wine: wine, confidence: features.confidence, kind: kind(score, features, hasVintage))
        }
    }

    /// The label's wine of the printed vintage, or of the nearest vintage; the newest if no vintage is printed. Nil if
    /// all wines of the label are left out. `hasVintage` is false if the vintage of the wine is not the printed one.
    func wine(
        of label: UInt32, leavingOut isLeftOut: (Int32) -> Bool = { _ in false }
    ) -> (wine: Int32, hasVintage: Bool)? {
        let positions = index.labels.wines(of: label).filter { !isLeftOut(index.wines[$0]) }
        guard let newest = positions.first else { return nil }
        guard let vintage = facts.vintage else { return (index.wines[newest], true) }
        let nearest = positions.min { abs(Int(index.vintages[$0]) - vintage) < abs(Int(index.vintages[$1]) - vintage) }
        let position = nearest ?? newest
        let own = Int(index.vintages[position])
        return (index.wines[position], own == vintage || own == 0)
    }

    private func kind(_ score: LabelScore, _ features: MatchFeatures, _ hasVintage: Bool) -> WineMatch.Kind {
        if !hasVintage { return .otherVintage }
        if features.isExact { return .exact }
        return score.producer > 0.999 || score.producer > score.name ? .fuzzyName : .fuzzyProducer
    }
}
