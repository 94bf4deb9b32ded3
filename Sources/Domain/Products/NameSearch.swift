/// Search over a household's names that forgives typos: held in memory, ranked, quick for thousands of names.
///
/// Every word of the query has to be found: as a whole word, as its beginning, inside a word (`milch` in
/// `Buttermilch`), or with one slip from four letters on, two from eight on.
package struct NameSearch<ID: Hashable & Sendable>: Sendable {
    /// One thing that was found.
    package struct Hit: Sendable {
        /// Each thing once, by its best name.
        package let id: ID
        /// 0…1; only the order means something.
        package let score: Double
    }

    private struct Entry: Sendable {
        let id: ID
        let words: [[UInt8]]
        let position: Int
    }

    private let entries: [Entry]

    /// - Parameter names: what is found, with the names under which it is found; one thing may appear more than once.
    package init(_ names: some Sequence<(id: ID, name: String)>) {
        entries = names.enumerated().map { position, element in
            Entry(id: element.id, words: searchWords(element.name), position: position)
        }
    }

    /// The best `limit` things, best first; equal ones in the order in which they were given.
    ///
    /// An empty query finds nothing. Eight words of it count.
    package func find(_ query: some StringProtocol, limit: Int = 20) -> [Hit] {
        let wanted = searchWords(query).prefix(8)
        guard !wanted.isEmpty, limit > 0 else { return [] }
        var best: [ID: (score: Double, position: Int)] = [:]
        for entry in entries {
            let score = self.score(of: wanted, in: entry.words)
            guard score > 0 else { continue }
            if let known = best[entry.id], known.score >= score { continue }
            best[entry.id] = (score, best[entry.id]?.position ?? entry.position)
        }
        return best.sorted { ($0.value.score, $1.value.position) > ($1.value.score, $0.value.position) }
            .prefix(limit).map { Hit(id: $0.key, score: $0.value.score) }
    }

    private func score(of wanted: ArraySlice<[UInt8]>, in words: [[UInt8]]) -> Double {
        var sum = 0.0
        for query in wanted {
            var best = 0.0
            for (index, word) in words.enumerated() {
                // Names begin with what matters: earlier words weigh a little more.
                best = max(best, closeness(of: query, to: word) - 0.01 * Double(min(index, 5)))
                if best >= 0.99 { break }
            }
            guard best > 0.1 else { return 0 }
            sum += best
        }
        let surplus = max(0, words.count - wanted.count)
        return sum / Double(wanted.count) - 0.01 * Double(min(surplus, 9))
    }

    private func closeness(of query: [UInt8], to word: [UInt8]) -> Double {
        if word.count >= query.count {
            if word.starts(with: query) { return word.count == query.count ? 1 : 0.9 }
            if query.count >= 3, contains(word, query) { return 0.7 }
        }
        guard query.count >= 4 else { return 0 }
        let slips = query.count >= 8 ? 2 : 1
        if abs(word.count - query.count) <= slips, let distance = editDistance(query, word, atMost: slips) {
            return 0.65 - 0.1 * Double(distance)
        }
        // A slip while the word is still being typed; the first letter is rarely the wrong one.
        if word.count > query.count, word[0] == query[0] {
            for length in query.count...min(word.count, query.count + 1) {
                if editDistance(query, Array(word[..<length]), atMost: 1) != nil { return 0.45 }
            }
        }
        return 0
    }

    private func contains(_ word: [UInt8], _ part: [UInt8]) -> Bool {
        guard word.count >= part.count else { return false }
        return (0...(word.count - part.count)).contains { start in
            word[start] == part[0] && word[start..<start + part.count].elementsEqual(part)
        }
    }
}

private func searchWords(_ text: some StringProtocol) -> [[UInt8]] {
    FoldedText.fold(text).utf8.split { !$0.isFoldedLetter && !$0.isDigit }.map(Array.init)
}
