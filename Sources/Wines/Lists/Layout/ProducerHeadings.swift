/// Finds lines with the producer of several wines below them: `Weingut Umathum` above `Zweigelt 2021  29` and
/// `Haideboden 2019  38`. Other lines above a group of wines are headings: `Leicht & fruchtig`.
struct ProducerHeadings {
    private let rows: [ListRow]
    private let roles: [RowRole]
    private let lines: GroupLines

    /// The minimum number of such lines in a column, and of wines below each line. Lines with a word such as `Weingut`
    /// are exempt.
    private static let minimumCount = 2

    /// The indices of the lines with producers, and of headings.
    static func rows(
        _ rows: [ListRow], _ roles: [RowRole], height: Int
    ) -> (producers: [Int], headings: [Int]) {
        let lines = GroupLines(rows, roles, height: height)
        let candidates = rows.indices.filter { isCandidate(roles[$0]) }
        let headings = ProducerHeadings(rows: rows, roles: roles, lines: lines)
        var producers = candidates.filter(headings.isPossible)
        if !headings.lackProducers(below: producers) { producers = [] }
        if producers.count < minimumCount { producers.removeAll { !namesProducer(rows[$0]) } }
        let otherHeadings = candidates.filter { index in
            roles[index] == .text && !producers.contains(index) && !namesProducer(rows[index]) && lines.begins(index)
        }
        return (producers, otherHeadings)
    }

    private static func isCandidate(_ role: RowRole) -> Bool {
        switch role {
        case .text: true
        case .heading(let section): section.namesOnlyPlace
        default: false
        }
    }

    /// Whether a line without a known meaning begins a group of wines and may be a producer.
    private func isPossible(_ index: Int) -> Bool {
        let row = rows[index]
        guard lines.begins(index), isProper(row),
            lines.names(below: index).count >= (Self.namesProducer(row) ? 1 : Self.minimumCount)
        else { return false }
        let reading = ListSection.read(row.text.joinedText)
        return reading.share <= 500 && !reading.namesKind && !reading.namesWine
    }

    /// Whether a row may be a proper name. A proper name has no vintage and begins with a capital. It has words in
    /// lower case only if it also has a word such as `Weingut`.
    private func isProper(_ row: ListRow) -> Bool {
        guard row.text.contains(where: \.hasLetterPair), !row.text.contains(where: \.isYear), !EntryLines.isNote(row),
            let first = row.text.joinedText.unicodeScalars.first?.properties, first.isAlphabetic, !first.isLowercase
        else { return false }
        return Self.namesProducer(row)
            || row.text.allSatisfy { token in
                token.text.unicodeScalars.first?.properties.isLowercase != true || EntryLines.isParticle(token.text)
            }
    }

    /// Whether most wines below the lines have only one part besides places, so that they do not name a producer.
    private func lackProducers(below found: [Int]) -> Bool {
        let wines = found.flatMap { lines.names(below: $0) }
        let single = wines.count { EntryText.statedParts([rows[$0].text]).count <= 1 }
        return single * 3 >= wines.count * 2
    }

    static func namesProducer(_ row: ListRow) -> Bool {
        let words = WineText.words(row.text.joinedText)
        return words.contains(where: WineVocabulary.shared.producerWords.contains)
    }
}
