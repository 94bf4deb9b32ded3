/// How well a label fits a query.
struct LabelScore {
    let label: UInt32
    /// The weighted share of the producer's words that are printed, 0…1.
    let producer: Float
    /// The weighted share of the name's words that are printed, 0…1. 1 for a label without a name.
    let name: Float
    /// The weighted share of the printed words that belong to the label, 0…1.
    let text: Float
    /// The weights of the words that agree, in bits.
    let bits: Float
    /// The rarity of the label's rarest word that is not printed. 0 if all words are printed, 1 for a word that only
    /// one label of the catalogue has.
    let missingRarity: Float
    /// The rarity of the rarest printed word that the label does not have, on the same scale.
    let surplusRarity: Float
    /// Whether each word of producer and name whose weight exceeds one bit is printed as in the catalogue.
    let isComplete: Bool
    /// The agreement of the printed colour with the label's, from -1 (contradicts) to 1 (the same); 0 if unknown.
    let color: Float
    /// The agreement of the printed country with the label's, from -1 (contradicts) to 1 (the same); 0 if unknown.
    let country: Float
    /// The share of the words of the label's region that are printed, 0…1; 0 for a label without a region.
    let region: Float

    /// The weighted sum by which candidates are ordered.
    var total: Float {
        producer * 0.42 + name * 0.38 + text * 0.5 + min(bits, 40) * 0.004 + color * 0.08 + country * 0.08 + region
            * 0.06
    }

    init(_ label: UInt32, _ query: WineQuery) {
        let index = query.index
        let (labels, sequences) = (index.labels, index.sequences)
        self.label = label
        // For each word of the query, its likeness to a word of the label's producer or name.
        var printed = [Float](repeating: 0, count: query.words.count)
        var (agreeing, missing, isComplete) = (Float(0), Float(0), true)
        var counted: [UInt32] = []
        func share(_ words: ArraySlice<UInt32>) -> Float {
            var (sum, found) = (Float(0), Float(0))
            for word in words {
                let weight = index.postings.weight(word)
                var best: Float = 0
                for (position, other) in query.words.enumerated() {
                    for reading in other.readings where reading.word == word {
                        best = max(best, reading.likeness)
                        printed[position] = max(printed[position], reading.likeness)
                    }
                }
                if best < 0.999, weight > 1 { isComplete = false }
                missing = max(missing, weight * (1 - best))
                sum += weight
                found += weight * best
                if !counted.contains(word) {
                    counted.append(word)
                    agreeing += weight * best
                }
            }
            return sum > 0 ? found / sum : 1
        }
        producer = share(sequences[labels.producers[Int(label)]])
        name = share(sequences[labels.names[Int(label)]])
        bits = agreeing
        self.isComplete = isComplete
        // The weight of a word that only one label has.
        let highest = WordPostings.bits(Float(labels.count + 1))
        self.missingRarity = min(1, missing / highest)
        let region = sequences[labels.regions[Int(label)]]
        let others = [region, sequences[labels.countries[Int(label)]], sequences[labels.grapes[Int(label)]]]
        var (sum, found, surplus) = (Float(0), Float(0), Float(0))
        var regionFound: Float = 0
        for (position, word) in query.words.enumerated() {
            var best = printed[position]
            for reading in word.readings where reading.likeness > best {
                if others.contains(where: { $0.contains(reading.word) }) { best = reading.likeness }
            }
            for reading in word.readings where region.contains(reading.word) { regionFound += reading.likeness }
            sum += word.weight
            found += word.weight * best
            surplus = max(surplus, word.weight * (1 - best))
        }
        self.surplusRarity = min(1, surplus / highest)
        text = sum > 0 ? found / sum : 0
        color = Self.agreement(query.facts.color, labels.color(of: label))
        country = Self.agreement(query, sequences[labels.countries[Int(label)]])
        self.region = region.isEmpty ? 0 : min(1, regionFound / Float(region.count))
    }

    /// The agreement of colours: 1 for the same, -1 for two different colours of red, white and rosé, -0.5 for other
    /// different kinds, 0 if unknown.
    private static func agreement(_ printed: WineColor?, _ color: WineColor?) -> Float {
        guard let printed, let color else { return 0 }
        if printed == color { return 1 }
        // Lists print a sweet, sparkling or fortified wine under that kind or under its colour.
        let hues: Set<WineColor> = [.red, .white, .rose]
        return hues.contains(printed) && hues.contains(color) ? -1 : -0.5
    }

    /// The agreement of countries: 1 for the same, -1 for another one, 0 if unknown.
    private static func agreement(_ query: WineQuery, _ country: ArraySlice<UInt32>) -> Float {
        guard let printed = query.country, !country.isEmpty else { return 0 }
        let labelWords = country.map { String(decoding: query.index.words[$0], as: UTF8.self) }
        if printed.words == labelWords { return 1 }
        guard let place = printed.place, let labelPlace = WineVocabulary.shared.places[labelWords] else { return 0 }
        return place.country == labelPlace.country ? 1 : -1
    }
}
