/// Finds lines with the producer of several wines below them: `Weingut Umathum` above `Zweigelt 2021  29` and
/// `Haideboden 2019  38`.
struct ProducerHeadings {
    private let rows: [ListRow]
    private let roles: [RowRole]
    /// The usual height of the letters of rows with prices, in pixels.
    private let height: Int

    /// The minimum number of such lines in a column, unless they have a word such as `Weingut`; and the minimum number
    /// of wines below each.
    private static let fewest = 2
    private static let mostWords = 7

    /// The indices of the lines.
    static func rows(_ rows: [ListRow], _ roles: [RowRole], height: Int) -> [Int] {
        let headings = ProducerHeadings(rows: rows, roles: roles, height: height)
        let found = rows.indices.filter(headings.isPossible)
        guard headings.lackProducers(below: found) else { return [] }
        return found.count >= fewest ? found : found.filter { namesProducer(rows[$0]) }
    }

    /// Whether a line without a known meaning begins a group of wines.
    private func isPossible(_ index: Int) -> Bool {
        let row = rows[index]
        switch roles[index] {
        case .text: break
        case .heading(let section) where section.namesOnlyPlace: break
        default: return false
        }
        guard row.heads.isEmpty, row.text.count <= Self.mostWords, names(below: index).count >= Self.fewest,
            isProper(row), mayBeginGroup(index)
        else { return false }
        let reading = ListSection.read(row.text.joinedText)
        return reading.share <= 500 && !reading.namesKind && !reading.namesWine
    }

    /// The rows below with names and prices, up to a gap. Rows with only a vintage belong to the wine above them.
    private func names(below index: Int) -> [Int] {
        var names: [Int] = []
        var row = index + 1
        while row < rows.count, roles[row] == .priced, !rows[row].text.isEmpty {
            let gap = RowRoles.distance(rows[row - 1], rows[row])
            guard row == index + 1 || gap * 10 <= RowRoles.distance(rows[index], rows[index + 1]) * 13 else { break }
            if !rows[row].text.allSatisfy(\.isYear) { names.append(row) } else if names.isEmpty { break }
            row += 1
        }
        return names
    }

    /// Whether a row may be a proper name: it has no vintage, begins with a capital, and has words in lower case only
    /// beside a word such as `Weingut`.
    private func isProper(_ row: ListRow) -> Bool {
        guard row.text.contains(where: \.isWordy), !row.text.contains(where: \.isYear), !EntryLines.isNote(row),
            let first = row.text.joinedText.unicodeScalars.first?.properties, first.isAlphabetic, !first.isLowercase
        else { return false }
        return Self.namesProducer(row)
            || row.text.allSatisfy { token in
                token.text.unicodeScalars.first?.properties.isLowercase != true || EntryLines.isParticle(token.text)
            }
    }

    /// Whether a row is below a heading, in larger letters, or closer to the row below than to the row above.
    private func mayBeginGroup(_ index: Int) -> Bool {
        guard index > 0, rows[index].height * 100 < height * 115 else { return true }
        if case .heading = roles[index - 1] { return true }
        let below = RowRoles.distance(rows[index], rows[index + 1])
        return RowRoles.distance(rows[index - 1], rows[index]) * 10 >= below * 12
    }

    /// Whether most wines below the lines have only one part besides places, so that they do not name a producer.
    private func lackProducers(below found: [Int]) -> Bool {
        let wines = found.flatMap { names(below: $0) }
        let single = wines.count { EntryText.statedParts([rows[$0].text]).count <= 1 }
        return single * 3 >= wines.count * 2
    }

    private static func namesProducer(_ row: ListRow) -> Bool {
        let words = WineText.words(row.text.joinedText)
        return words.contains(where: WineVocabulary.shared.producerWords.contains)
    }
}
