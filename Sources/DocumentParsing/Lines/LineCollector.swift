import Recognition

/// Puts the words of a page into rows.
enum LineCollector {
    /// Minimum overlap of two readings of one row, in tenths of the smaller one. Neighbouring rows overlap less.
    private static let minimumOverlap = 6
    /// Minimum height of print in tenths of the usual height. Specks are lower.
    private static let minimumHeight = 7

    /// The rows of a page from top to bottom, at most `PrintedLine.maximumLines`, none of them empty.
    static func rows(of page: RecognizedPage) -> [[RecognizedWord]] {
        var rows = page.lines.prefix(PrintedLine.maximumLines).map(\.words).filter { !$0.isEmpty }
        if page.source == .ocr {
            dropDirt(&rows)
            dropDoubleReadings(&rows)
        }
        joinHalves(&rows)
        return rows
    }

    /// Removes specks beside the paper and between its lines. Specks are small or uncertain rows of at most two
    /// characters, and words of at most two characters far to the left of their row.
    private static func dropDirt(_ rows: inout [[RecognizedWord]]) {
        guard let usualHeight = rows.map(\.box.height).median else { return }
        let isDirt = rows.indices.map { index in
            let row = rows[index]
            let characters = row.reduce(0) { $0 + $1.text.unicodeScalars.count { $0.isDigit || $0.isLatinLetter } }
            guard characters <= 2, !beginsRow(rows, index, usualHeight), !isCount(row, usualHeight) else {
                return false
            }
            return row.box.height * 2 < usualHeight || row.allSatisfy { $0.confidence < Confidence.dirt }
        }
        rows = zip(rows, isDirt).filter { !$1 }.map(\.0)
        for index in rows.indices {
            while rows[index].count > 2, let first = rows[index].first, first.text.unicodeScalars.count <= 2,
                first.confidence < Confidence.legible, rows[index][1].box.x - first.box.maxX > usualHeight
            {
                rows[index].removeFirst()
            }
        }
    }

    /// Removes double readings. Creases and shadows can split a line lengthwise, and both halves are read as the whole
    /// line. Keeps the reading with more certain words, or else with the higher mean confidence.
    private static func dropDoubleReadings(_ rows: inout [[RecognizedWord]]) {
        var index = 0
        while index + 1 < rows.count {
            let (upper, lower) = (rows[index], rows[index + 1])
            let isUpperWorse = quality(upper) < quality(lower)
            let (kept, dropped) = isUpperWorse ? (lower, upper) : (upper, lower)
            if areDoubleReadings(upper, lower), !isSeparateLine(dropped, from: kept) {
                rows.remove(at: isUpperWorse ? index : index + 1)
            } else {
                index += 1
            }
        }
    }

    /// The quality of a row: first the number of certain words, then the mean confidence.
    private static func quality(_ row: [RecognizedWord]) -> (sure: Int, mean: Int) {
        (row.count { $0.confidence >= Confidence.legible }, row.reduce(0) { $0 + $1.confidence } / max(1, row.count))
    }

    /// Whether `row` is a separate line and no double reading of `kept`, such as a quantity under a tall name. A
    /// separate line begins with another count, or more than half of it is certain and different.
    private static func isSeparateLine(_ row: [RecognizedWord], from kept: [RecognizedWord]) -> Bool {
        func isCount(_ word: RecognizedWord) -> Bool {
            word.text.first?.isNumber ?? false && word.text.allSatisfy { $0.isNumber || Lexicon.times.contains($0) }
        }
        let known = kept.map { Skeleton.of($0.text.unicodeScalars) }
        let own = row.filter { word in
            let skeleton = Skeleton.of(word.text.unicodeScalars)
            let limit = skeleton.count / 3
            return !known.contains { Skeleton.distance(skeleton[...], $0[...], limit: limit) <= limit }
        }
        if let first = own.first, first == row[0], isCount(first) { return true }
        return characters(own.filter { $0.confidence >= Confidence.legible }) * 2 > characters(row)
    }

    private static func characters(_ row: [RecognizedWord]) -> Int { row.reduce(0) { $0 + $1.text.count } }

    /// Whether most characters of the shorter row overlap words of the other.
    private static func areDoubleReadings(_ one: [RecognizedWord], _ other: [RecognizedWord]) -> Bool {
        let (short, long) = characters(one) <= characters(other) ? (one, other) : (other, one)
        let covered = short.filter { word in
            long.contains {
                let overlapX = min($0.box.maxX, word.box.maxX) - max($0.box.x, word.box.x)
                let overlapY = min($0.box.maxY, word.box.maxY) - max($0.box.y, word.box.y)
                let (low, high) = (min($0.box.height, word.box.height), max($0.box.height, word.box.height))
                // Tall letters reach into neighbouring rows.
                return overlapX * 10 >= min($0.box.width, word.box.width) * minimumOverlap
                    && overlapY * 10 >= low * minimumOverlap
                    && high <= 2 * low
            }
        }
        return characters(covered) * 10 >= characters(short) * minimumOverlap
    }

    /// Whether the row is a count as high as other print, such as `2x`: a part of a badly read quantity line.
    private static func isCount(_ row: [RecognizedWord], _ usualHeight: Int) -> Bool {
        let text = row.map(\.text).joined()
        return row.box.height * 10 >= usualHeight * minimumHeight && text.first?.isNumber ?? false
            && text.last.map { $0 == "%" || Lexicon.times.contains($0) } ?? false
    }

    /// Whether the row is the count of the quantity line that follows: `3 *` before `1,55 4,65`.
    private static func beginsRow(_ rows: [[RecognizedWord]], _ index: Int, _ usualHeight: Int) -> Bool {
        let own = rows[index].box
        guard index + 1 < rows.count, rows[index][0].text.unicodeScalars.first?.isDigit ?? false,
            own.height * 10 >= usualHeight * minimumHeight,
            rows[index + 1].contains(where: { $0.text.unicodeScalars.contains(where: \.isDigit) })
        else { return false }
        let next = rows[index + 1].box
        let overlap = min(own.maxY, next.maxY) - max(own.y, next.y)
        return own.maxX <= next.x && next.x - own.maxX <= 4 * usualHeight
            && overlap * 10 >= min(own.height, next.height) * minimumOverlap
    }

    /// Joins a name and its price that were read as two lines because the paper was skewed.
    private static func joinHalves(_ rows: inout [[RecognizedWord]]) {
        var index = 0
        while index + 1 < rows.count {
            let upper = rows[index].box
            let lower = rows[index + 1].box
            let overlap = min(upper.maxY, lower.maxY) - max(upper.y, lower.y)
            let height = max(1, min(upper.height, lower.height))
            if overlap * 10 >= height * minimumOverlap, upper.maxX <= lower.x || lower.maxX <= upper.x {
                rows[index] = (rows[index] + rows[index + 1]).sorted { $0.box.x < $1.box.x }
                rows.remove(at: index + 1)
            } else {
                index += 1
            }
        }
    }
}
