import Recognition

extension PageReader {
    /// Reads a page line by line, at most `limit` of them; what is doubtful is read again in other ways.
    func readLines(of page: PrintedPage, limit: Int = 400) -> [RecognizedLine] {
        page.lines.indices.prefix(limit).compactMap { index in
            var readings = LineReadings()
            func read(_ pass: LinePass) -> (words: [RecognizedWord], covered: Int) {
                let words = page.words(ofLine: index, pass, by: engine)
                return (words, page.lines[index].covered(by: words))
            }
            for pass in LinePass.all where readings.wantAnother {
                let reading = read(pass)
                readings.add(reading.words, covered: reading.covered)
            }
            if readings.makeNoSense {
                let reading = read(.blackAndWhite)
                readings.settle(reading.words, covered: reading.covered)
            }
            let words = readings.merged().map(page.onReadingPicture)
            return words.isEmpty ? nil : RecognizedLine(words: words)
        }
    }
}

extension PrintedLine {
    /// How much of the line's ink lies in the boxes of words, in percent of its width: engines drop words without a trace.
    func covered(by words: [RecognizedWord]) -> Int {
        var inked = 0
        var covered = 0
        for piece in pieces {
            inked += piece.width
            var end = piece.x
            for word in words.sorted(by: { $0.box.x < $1.box.x }) {
                let start = max(end, word.box.x)
                let stop = min(piece.maxX, word.box.maxX)
                if stop > start {
                    covered += stop - start
                    end = stop
                }
            }
        }
        return inked == 0 ? 100 : covered * 100 / inked
    }
}

extension RecognizedWord {
    /// What stands between underscores: the engine sees them where narrowed blanks or dirt are, tills don't print them
    /// (but in the text of an Austrian fiscal code).
    var partsWithoutRules: [RecognizedWord] {
        guard text.contains("_"), !text.contains("R1-AT") else { return [self] }
        let length = text.unicodeScalars.count
        var parts: [RecognizedWord] = []
        var at = 0
        for part in text.unicodeScalars.split(separator: "_", omittingEmptySubsequences: false) {
            if !part.isEmpty {
                let left = box.x + box.width * at / length
                let right = box.x + box.width * (at + part.count) / length
                var word = self
                word.text = String(String.UnicodeScalarView(part))
                word.box = PixelBox(x: left, y: box.y, width: max(1, right - left), height: box.height)
                parts.append(word)
            }
            at += part.count + 1
        }
        return parts
    }
}
