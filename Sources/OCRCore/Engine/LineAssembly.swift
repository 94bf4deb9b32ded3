import Recognition

/// Groups words into printed lines by their places. A word is added to a line if the line's last word is at about the
/// same height.
func assembleLines(_ words: [RecognizedWord]) -> [RecognizedLine] {
    var lines: [[RecognizedWord]] = []
    // From left to right, so that slightly slanted lines are followed from word to word.
    for word in words.sorted(by: { $0.box.x < $1.box.x }) {
        var best: (index: Int, distance: Int)?
        for (index, line) in lines.enumerated() {
            guard let last = line.last, last.box.maxX <= word.box.x + word.box.height else { continue }
            let height = max(1, min(last.box.height, word.box.height), max(last.box.height, word.box.height) / 2)
            // In half pixels.
            let distance = abs(last.box.doubleMidY - word.box.doubleMidY)
            if distance < height, distance < best?.distance ?? .max { best = (index, distance) }
        }
        if let best { lines[best.index].append(word) } else { lines.append([word]) }
    }
    return lines.sorted { middle($0) < middle($1) }.map { RecognizedLine(words: $0) }
}

private func middle(_ words: [RecognizedWord]) -> Int {
    words.reduce(0) { $0 + $1.box.doubleMidY } / max(1, words.count)
}
