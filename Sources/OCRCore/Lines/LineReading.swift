import Recognition

extension PageReader {
    /// Reads a page line by line, at most `limit` lines. Lines of low confidence are read again with other passes.
    ///
    /// - Returns: The lines, and the boxes of ink that gave no text, both in pixels of the reading picture.
    func readLines(of page: PrintedPage, limit: Int = 400) -> (read: [RecognizedLine], unread: [PixelBox]) {
        if !isQuick, clock.allows(.refinement) { page.addDoubtfulLines() }
        var lines = page.lines.indices.map { index in
            guard index < limit, clock.allows(.lines) else { return RecognizedLine(words: []) }
            return isQuick ? readQuickly(index, of: page) : readLine(index, of: page)
        }
        let covered = coveredLines(lines, of: page)
        for index in covered { lines[index] = RecognizedLine(words: []) }
        if !isQuick { readAmountColumn(&lines, of: page) }
        var unread: [PixelBox] = []
        for (index, line) in page.lines.enumerated() where !line.isDoubtful && !covered.contains(index) {
            unread += line.pieces(without: lines[index].words + lines[index].secondEngineWords, capital: page.capital)
                .map(page.onReadingPicture)
        }
        return (lines.filter { !$0.words.isEmpty }.map { $0.onReadingPicture(of: page) }, unread)
    }

    /// The lines that consist of one piece of ink that is as high as two lines and is covered by words of other lines.
    /// Usually the piece is two figures, one above the other, connected by a stroke or a crease.
    private func coveredLines(_ lines: [RecognizedLine], of page: PrintedPage) -> [Int] {
        page.lines.indices.filter { index in
            let line = page.lines[index]
            guard line.height * 2 > page.capital * 3, line.pieces.count == 1 else { return false }
            let otherWords = lines.indices.filter { $0 != index }.flatMap { lines[$0].words }
            return line.isCovered(by: otherWords.filter { $0.confidence >= Self.minimumConfidence }.map(\.box))
        }
    }

    /// The minimum confidence of the words that cover a line.
    private static let minimumConfidence = 50

    /// Reads the missing amount of each line that has ink in the column of the other amounts.
    private func readAmountColumn(_ lines: inout [RecognizedLine], of page: PrintedPage) {
        guard let second else { return }
        let column = AmountColumn(page.lines, read: lines, capital: page.capital)
        for index in lines.indices where clock.allows(.secondEngine) {
            guard lines[index].lastAmount == nil, !lines[index].words.isEmpty,
                let place = column.place(of: page.lines[index]), page.hasInk(in: place),
                !lines.contains(where: { ($0.words + $0.secondEngineWords).contains { $0.box.meets(place) } }),
                let picture = page.cut(place)
            else { continue }
            let readings = second.readings(of: picture, asAmount: true)
            guard let best = readings.first, best.cost <= Self.maximumAmountCost else { continue }
            lines[index].secondEngineWords.append(
                RecognizedWord(
                    text: best.text, box: place, confidence: best.percent,
                    alternatives: readings.dropFirst().map(\.text),
                    costs: readings.map(\.cost)))
            let firstWords = engine.words(on: picture, layout: .line)
            guard let amount = PrintedAmount.last(in: firstWords) else { continue }
            lines[index].words.append(RecognizedWord(text: amount.text, box: place, confidence: amount.confidence))
        }
    }

    /// The maximum cost of an amount that is added: −100 × ln ½, which is a probability of one half.
    private static let maximumAmountCost = 69

    /// Reads a line once.
    private func readQuickly(_ index: Int, of page: PrintedPage) -> RecognizedLine {
        let words = firstWords(ofLine: index, of: page)
        return RecognizedLine(words: words, secondEngineWords: second == nil ? [] : words)
    }

    /// The first reading of a line. A quick reading uses the second engine, which reads the figures of wine lists
    /// better.
    func firstWords(ofLine index: Int, of page: PrintedPage) -> [RecognizedWord] {
        if isQuick, let second { return page.words(ofLine: index, .neuralSmall, by: second) }
        return page.words(ofLine: index, LinePass.all[0], by: engine)
    }

    /// The words of a line in the pixels of the prepared picture.
    private func readLine(_ index: Int, of page: PrintedPage) -> RecognizedLine {
        let line = page.lines[index]
        var readings = LineReadings()
        func read(_ pass: LinePass) -> (words: [RecognizedWord], covered: Int) {
            let words = page.words(ofLine: index, pass, by: engine)
            return (words, line.covered(by: words))
        }
        let secondWords = secondWords(ofLine: index, of: page)
        if line.isDoubtful, second != nil, !secondWords.isText,
            PrintedAmount.last(in: secondWords)?.confidence ?? 0 < 70
        {
            return RecognizedLine(words: [])
        }
        let firstReading = read(LinePass.all[0])
        if line.isDoubtful, second == nil, !firstReading.words.isText { return RecognizedLine(words: []) }
        readings.add(firstReading.words, covered: firstReading.covered)
        readings.secondAmount = PrintedAmount.last(in: secondWords)?.text
        for pass in LinePass.all.dropFirst() where readings.needsAnotherReading && clock.allows(.refinement) {
            let reading = read(pass)
            readings.add(reading.words, covered: reading.covered)
        }
        if readings.isNoise, clock.allows(.refinement) {
            let reading = read(.blackAndWhite)
            readings.replaceIfMoreCertain(reading.words, covered: reading.covered)
        }
        let words = readings.merged()
        // If only the second engine found words, nothing confirms them, so they must be clear text.
        guard !words.isEmpty else { return RecognizedLine(words: secondWords.isText ? secondWords : []) }
        return RecognizedLine(words: words.withNames(of: secondWords), secondEngineWords: secondWords)
    }

    /// The second engine's words of a line, in pixels of the prepared picture. Empty if there is no second engine or no
    /// time left for it.
    private func secondWords(ofLine index: Int, of page: PrintedPage) -> [RecognizedWord] {
        guard let second, clock.allows(.secondEngine) else { return [] }
        return page.words(ofLine: index, .neural, by: second)
    }
}

extension RecognizedLine {
    fileprivate func onReadingPicture(of page: PrintedPage) -> RecognizedLine {
        RecognizedLine(
            words: words.map(page.onReadingPicture), secondEngineWords: secondEngineWords.map(page.onReadingPicture))
    }
}

extension PixelBox {
    /// Whether the boxes overlap in x, and in y by more than half of the smaller height.
    fileprivate func meets(_ other: PixelBox) -> Bool {
        let sharedHeight = min(maxY, other.maxY) - max(y, other.y)
        return x < other.maxX && other.x < maxX && sharedHeight * 2 > min(height, other.height)
    }
}

extension [RecognizedWord] {
    /// Whether the words are text rather than dirt: high confidence and at least three letters or digits.
    fileprivate var isText: Bool {
        certainty(of: self) >= 70 && reduce(0) { $0 + $1.text.count(where: { $0.isLetter || $0.isNumber }) } >= 3
    }
}

extension PrintedLine {
    /// The pieces of ink that are about as high as letters, and are less than half covered by words, measured by width.
    fileprivate func pieces(without words: [RecognizedWord], capital: Int) -> [PixelBox] {
        pieces.filter { piece in
            let covered = words.reduce(0) {
                $0 + Swift.max(0, min(piece.maxX, $1.box.maxX) - Swift.max(piece.x, $1.box.x))
            }
            return covered * 2 < piece.width && piece.height * 10 >= capital * 6 && piece.height <= capital * 2
                && piece.width * 2 >= capital
        }
    }

    /// The percentage of the line's ink, by width, that words cover. Engines sometimes omit words.
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
    /// The parts between underscores: Tesseract reads underscores where narrowed blanks or dirt are. Tills do not print
    /// them, except in the text of an Austrian fiscal code.
    var partsBetweenUnderscores: [RecognizedWord] {
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
