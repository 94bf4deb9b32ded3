extension WineIndex {
    /// Builds an index from wines that are added one by one, for catalogues that are read in pieces.
    package struct Builder {
        private struct Key: Hashable {
            var producer: UInt32
            var name: UInt32
            var color: UInt8
        }

        private var words = WordTable()
        private var sequences = WordSequences()
        private var labels = WineLabels()
        /// The label of each combination of producer, name and colour.
        private var labelByKey: [Key: UInt32] = [:]
        /// The label of each wine, in the order in which the wines were added.
        private var labelOfWine: [UInt32] = []
        private var vintages: [Int16] = []
        /// The last text of each field and its sequence. Successive wines often have the same text.
        private var last: [(text: String, sequence: UInt32)] = Array(repeating: ("", .max), count: 5)

        package init() {}

        /// Adds a wine. Its ordinal is the number of wines added before.
        package mutating func add(_ wine: CatalogueWine) {
            let color = wine.color.flatMap { WineColor.allCases.firstIndex(of: $0) }.map { UInt8($0) } ?? .max
            let key = Key(producer: sequence(wine.producer, 0), name: sequence(wine.name, 1), color: color)
            let label = labelByKey[key] ?? UInt32(labels.count)
            if label == labels.count {
                labelByKey[key] = label
                labels.producers.append(key.producer)
                labels.names.append(key.name)
                labels.regions.append(sequence(wine.region, 2))
                labels.countries.append(sequence(wine.country, 3))
                labels.grapes.append(sequence(wine.grapes.joined(separator: " "), 4))
                labels.colors.append(color)
            }
            labelOfWine.append(label)
            vintages.append(Int16(clamping: wine.vintage ?? 0))
        }

        private mutating func sequence(_ text: String, _ field: Int) -> UInt32 {
            if last[field].sequence != .max, last[field].text == text { return last[field].sequence }
            let folded = WineText.fold(text)
            let numbers = folded.split(separator: 0x20).map { words.number(of: $0) }
            let sequence = sequences.number(of: numbers)
            last[field] = (text, sequence)
            return sequence
        }

        package consuming func index() -> WineIndex {
            labelByKey = [:]
            sequences.seal()
            words.trim()
            var starts = [UInt32](repeating: 0, count: labels.count + 1)
            for label in labelOfWine { starts[Int(label) + 1] += 1 }
            for index in stride(from: 1, through: labels.count, by: 1) { starts[index] += starts[index - 1] }
            labels.starts = starts
            // The position of the next wine of each label.
            var next = starts
            var order = [Int32](repeating: 0, count: labelOfWine.count)
            for (wine, label) in labelOfWine.enumerated() {
                order[Int(next[Int(label)])] = Int32(wine)
                next[Int(label)] += 1
            }
            for label in 0..<labels.count {
                let range = Int(starts[label])..<Int(starts[label + 1])
                guard range.count > 1 else { continue }
                order[range].sort { vintages[Int($0)] > vintages[Int($1)] }
            }
            let sorted = order.map { vintages[Int($0)] }
            return WineIndex(
                Parts(words: words, sequences: sequences, labels: labels, wines: order, vintages: sorted))
        }
    }
}
