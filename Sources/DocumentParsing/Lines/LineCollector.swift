import Recognition

/// Puts the words of all pages into printed lines.
enum LineCollector {
    /// The lines, and whether some were left out because there were too many.
    static func lines(of document: RecognizedDocument) -> (lines: [PrintedLine], isCut: Bool) {
        var result: [PrintedLine] = []
        for (page, content) in document.pages.enumerated() {
            var rows = content.lines.prefix(PrintedLine.most).map(\.words).filter { !$0.isEmpty }
            joinHalves(&rows)
            for words in rows {
                guard result.count < PrintedLine.most else { return (result, true) }
                let line = PrintedLine(page: page, words: words, isText: content.source == .text)
                if !line.words.isEmpty { result.append(line) }
            }
        }
        return (result, document.pages.contains { $0.lines.count > PrintedLine.most })
    }

    /// A name and its price that were taken for two lines, because the paper was skewed, are one.
    private static func joinHalves(_ rows: inout [[RecognizedWord]]) {
        var index = 0
        while index + 1 < rows.count {
            let upper = box(rows[index])
            let lower = box(rows[index + 1])
            let overlap = min(upper.maxY, lower.maxY) - max(upper.y, lower.y)
            let height = max(1, min(upper.height, lower.height))
            if overlap * 10 >= height * 6, upper.maxX <= lower.x || lower.maxX <= upper.x {
                rows[index] = (rows[index] + rows[index + 1]).sorted { $0.box.x < $1.box.x }
                rows.remove(at: index + 1)
            } else {
                index += 1
            }
        }
    }

    private static func box(_ words: [RecognizedWord]) -> PixelBox {
        words.dropFirst().reduce(words[0].box) { $0.union($1.box) }
    }
}
