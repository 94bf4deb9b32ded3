extension WineIndex {
    /// Searches wines by parts of names and regions, best match first. Words may be incomplete. Each label gives one
    /// wine: the vintage that the text states or the nearest one, or the newest if the text states none.
    ///
    /// - Parameters:
    ///   - fuzzy: Whether misspelt words are found too, and one of three or more words may be missing.
    ///   - isLeftOut: Returns whether to leave out the wine with the given ordinal. Another vintage of its label may be
    ///     found.
    package func search(
        _ text: String, fuzzy: Bool, limit: Int = 20, leavingOut isLeftOut: (Int32) -> Bool = { _ in false }
    ) -> [WineMatch] {
        let printed = PrintedWord.words(text, maximum: 8)
        guard limit > 0, count > 0, !printed.isEmpty else { return [] }
        let query = WineQuery(text, WineQuery.Facts(vintage: WineVintage.find(in: text)?.year), self)
        // By label: the sum of the scores of its words, and the number of query words that it has.
        var scoreByLabel: [UInt32: (sum: Float, words: Int)] = [:]
        for (position, word) in printed.enumerated() {
            var likeness: [UInt32: Float] = [:]
            for number in query.beginnings(word.letters, maximum: 200) {
                likeness[number] = Float(word.letters.count) / Float(max(1, words[number].count)) * 0.3 + 0.7
            }
            for reading in query.words[position].readings where fuzzy || reading.likeness >= 0.999 {
                likeness[reading.word] = max(reading.likeness, likeness[reading.word] ?? 0)
            }
            var best: [UInt32: Float] = [:]
            for (number, share) in likeness {
                for label in postings[number].prefix(20_000) { best[label] = max(share, best[label] ?? 0) }
            }
            addRegions(likeness, to: &best)
            for (label, share) in best {
                let before = scoreByLabel[label] ?? (0, 0)
                scoreByLabel[label] = (before.sum + share, before.words + 1)
            }
        }
        let needed = fuzzy && printed.count > 2 ? printed.count - 1 : printed.count
        let hits = scoreByLabel.filter { $0.value.words >= needed }
            .sorted { ($0.value.sum, $1.key) > ($1.value.sum, $0.key) }
        var matches: [WineMatch] = []
        for (label, hit) in hits {
            guard matches.count < limit else { break }
            guard let (wine, hasVintage) = query.wine(of: label, leavingOut: isLeftOut) else { continue }
            let share = hit.sum / Float(printed.count)
            matches.append(
                WineMatch(
                    wine: wine, confidence: max(1, min(980, Int(share * 980))),
                    kind: !hasVintage ? .otherVintage : share >= 0.999 ? .exact : .fuzzyName))
        }
        return matches
    }

    /// Adds the labels whose region has one of the words.
    ///
    /// - Parameters:
    ///   - likeness: by word, the likeness to the query word, 0…1.
    ///   - best: by label, the highest likeness of a word.
    private func addRegions(_ likeness: [UInt32: Float], to best: inout [UInt32: Float]) {
        var shares: [UInt32: Float] = [:]
        for region in regions {
            let share: Float = sequences[region].reduce(0) { max($0, likeness[$1] ?? 0) }
            if share > 0 { shares[region] = share }
        }
        // Most words are in no region. For these words, the labels are not searched.
        guard !shares.isEmpty else { return }
        for label in 0..<labels.count where best.count < 40_000 {
            guard let share = shares[labels.regions[label]] else { continue }
            best[UInt32(label)] = max(share * 0.9, best[UInt32(label)] ?? 0)
        }
    }
}
