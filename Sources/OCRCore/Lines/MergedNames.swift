import Recognition

extension [RecognizedWord] {
    /// The words with names replaced by the second engine's reading, if it is certain and covers the same ink.
    ///
    /// The second engine's letters and spaces are more often right: on real receipts it read 84 % of 351 names exactly,
    /// Tesseract 75 %. Words with digits are not replaced, because the first engine decides on figures.
    func withNames(of secondWords: [RecognizedWord]) -> [RecognizedWord] {
        var result: [RecognizedWord] = []
        var at = 0
        while at < count {
            guard !self[at].hasDigit else {
                result.append(self[at])
                at += 1
                continue
            }
            let end = self[at...].firstIndex(where: \.hasDigit) ?? count
            let name = Array(self[at..<end])
            result +=
                name.replacement(
                    from: secondWords, after: at > 0 ? self[at - 1] : nil, before: end < count ? self[end] : nil)
                ?? name
            at = end
        }
        return result
    }

    /// The second engine's words on the same ink; nil unless they consist of letters and are certain.
    ///
    /// - Parameters:
    ///   - left: The word with digits before these words.
    ///   - right: The word with digits after them.
    private func replacement(
        from secondWords: [RecognizedWord], after left: RecognizedWord?, before right: RecognizedWord?
    ) -> [RecognizedWord]? {
        guard let first = first?.box, let last = last?.box else { return nil }
        let room = first.height / 3
        let (start, end) = ((left?.box.maxX ?? 0) - room, (right?.box.x ?? Int.max - room) + room)
        let words = secondWords.filter {
            $0.box.x >= start && $0.box.maxX <= end && $0.box.maxX > first.x && $0.box.x < last.maxX
        }
        let sharedWidth = reduce(0) { sum, word in sum + words.reduce(0) { $0 + $1.box.sharedWidth(with: word.box) } }
        let widths = (reduce(0) { $0 + $1.box.width }, words.reduce(0) { $0 + $1.box.width })
        guard words.contains(where: { $0.text.contains(where: \.isLetter) }), !words.contains(where: \.hasDigit),
            words.allSatisfy({ $0.confidence >= Self.minimumConfidence }),
            sharedWidth * 10 >= Swift.max(widths.0, widths.1) * 8
        else { return nil }
        return words.map { RecognizedWord(text: $0.text, box: $0.box, confidence: $0.confidence) }
    }

    /// The minimum confidence of the words.
    private static var minimumConfidence: Int { 50 }
}

extension RecognizedWord {
    var hasDigit: Bool { text.unicodeScalars.contains { ("0"..."9").contains($0) } }
}

extension PixelBox {
    /// The width in pixels of the columns that both boxes have.
    fileprivate func sharedWidth(with other: PixelBox) -> Int {
        Swift.max(0, min(maxX, other.maxX) - Swift.max(x, other.x))
    }
}
