import CTesseract
import Recognition

extension PageReader {
    /// Whether a PDF page shows the text of its text layer.
    ///
    /// A layer may be invisible above a picture, or contain other amounts than the page shows. So the first 150 amounts
    /// are read on the rendered picture, with all passes if the first result differs. Some long words are also read, at
    /// least half of which must be similar. A layer is also refused if much of the print is not in it.
    func confirms(_ layer: RecognizedPage, on picture: Raster) -> Bool {
        let words = layer.lines.flatMap(\.words)
        guard !picture.hasMuchPrintOutside(words) else { return false }
        for word in words.filter({ PrintedAmount.last(in: [$0]) != nil }).prefix(150)
        where contradicts(word, on: picture) { return false }
        let names = words.filter { $0.text.count >= 6 && $0.text.allSatisfy(\.isLetter) }
        let sampled = stride(from: 0, to: names.count, by: max(1, names.count / 8)).map { names[$0] }
        let mismatches = sampled.count { word in
            let readText = readings(of: word.box, on: picture, passes: [LinePass.all[0]]).first?.text ?? ""
            return !readText.resembles(word.text)
        }
        return mismatches * 2 <= sampled.count
    }

    /// Whether no reading gives the amount of the text layer, and two readings agree on another amount.
    private func contradicts(_ word: RecognizedWord, on picture: Raster) -> Bool {
        guard let claimed = PrintedAmount.last(in: [word])?.text.digits else { return false }
        func seen(_ passes: [LinePass]) -> [(digits: String, confidence: Int)] {
            readings(of: word.box, whitelist: "0123456789,.-", on: picture, passes: passes).map {
                ($0.text.digits, $0.confidence)
            }
        }
        if seen([LinePass.all[0]]).contains(where: { $0.digits == claimed }) { return false }
        let allReadings = seen(LinePass.all)
        return !allReadings.contains { $0.digits == claimed }
            && allReadings.contains { other in
                other.digits.count >= 3 && allReadings.count { $0.digits == other.digits && $0.confidence >= 70 } >= 2
            }
    }

    /// The readings of a word's box as one line, one for each pass that found text.
    private func readings(
        of box: PixelBox, whitelist: String = "", on picture: Raster, passes: [LinePass]
    ) -> [RecognizedWord] {
        guard box.width > 0, box.height > 0 else { return [] }
        // The surroundings are included, because the cleaning needs the shade of the paper.
        let (left, top) = (max(0, box.x - 64), max(0, box.y - 64))
        let part = picture.cropped(
            toVisible: PixelBox(x: left, y: top, width: box.maxX + 64 - left, height: box.maxY + 64 - top))
        let inner = PixelBox(x: box.x - left, y: box.y - top, width: box.width, height: box.height)
        return passes.compactMap { pass in
            let cell = pass.cleaning.apply(to: part).cropped(toVisible: inner)
            let enlarged = cell.scaled(by: max(0.4, min(6, Float(pass.capital) / Float(max(6, box.height)))))
            let framed = Raster(pixAddBorder(enlarged.pix, 16, 240)) ?? enlarged
            let words = engine.words(on: framed, layout: .line, whitelist: whitelist, milliseconds: 2_000)
            guard let confidence = words.map(\.confidence).min() else { return nil }
            return RecognizedWord(text: words.map(\.text).joined(separator: " "), box: box, confidence: confidence)
        }
    }
}

extension Raster {
    /// Whether more than a third of the shapes like letters are outside the words, as on a scan with an added line of
    /// text.
    fileprivate func hasMuchPrintOutside(_ words: [RecognizedWord]) -> Bool {
        let small = fitted(to: 1_600)
        let factor = Float(small.width) / Float(width)
        var mask = [Bool](repeating: false, count: small.width * small.height)
        for word in words {
            let margin = word.box.height / 4
            let left = max(0, Int(Float(word.box.x - margin) * factor))
            let right = min(small.width, Int(Float(word.box.maxX + margin) * factor))
            let top = max(0, Int(Float(word.box.y - margin) * factor))
            let bottom = min(small.height, Int(Float(word.box.maxY + margin) * factor))
            guard left < right, top < bottom else { continue }
            for y in top..<bottom { for x in left..<right { mask[y * small.width + x] = true } }
        }
        let letters = (small.letters()?.pieces() ?? []).filter { $0.height >= 6 && $0.height <= 60 && $0.width <= 60 }
        let outside = letters.count { letter in
            let x = min(small.width - 1, letter.x + letter.width / 2)
            let y = min(small.height - 1, letter.y + letter.height / 2)
            return !mask[y * small.width + x]
        }
        return outside >= 60 && outside * 3 > letters.count
    }
}

extension String {
    fileprivate var digits: String { filter { ("0"..."9").contains($0) } }

    /// Whether at least half of the letters of `other` occur in this text in the same order.
    fileprivate func resembles(_ other: String) -> Bool {
        let (mine, theirs) = (Array(lowercased()), Array(other.lowercased()))
        // The lengths of the longest common subsequences with the beginnings of `theirs`.
        var longest = [Int](repeating: 0, count: theirs.count + 1)
        for letter in mine {
            var diagonal = 0
            for (index, their) in theirs.enumerated() {
                let above = longest[index + 1]
                longest[index + 1] = letter == their ? diagonal + 1 : max(above, longest[index])
                diagonal = above
            }
        }
        return longest[theirs.count] * 2 >= theirs.count
    }
}
