import Recognition

extension PrintedLine {
    /// Whether both engines read the same figure at `range`. Word boundaries may differ, the letter O counts as the
    /// digit 0, all minus signs are the same, and one engine may have lost the comma.
    func isReadAlike(at range: Range<Int>) -> Bool {
        guard !otherEngineWords.isEmpty, !range.isEmpty, range.upperBound <= wordAt.count else { return false }
        let own = wordIndices(range)
        let box = box(range)
        let figure = Shape(words[own])
        let other = Shape(otherEngineWords(at: range)[...])
        if figure.digits.count >= 3, figure.trimmed.agrees(with: other.trimmed) { return true }
        // The tax class may touch the amount: compare everything from the amount on.
        let rest = otherEngineWords.filter { 2 * $0.box.x + $0.box.width > 2 * box.x }.sorted { $0.box.x < $1.box.x }
        let all = Shape(words[own.lowerBound...])
        return all.digits.count >= 3 && all == Shape(rest[...])
    }

    /// The other engine's text at `range`, from left to right; empty if it read nothing there.
    func otherEngineText(at range: Range<Int>) -> [Unicode.Scalar] {
        Array(otherEngineWords(at: range).text.unicodeScalars.prefix(Self.maximumLength))
    }

    /// Whether the other engine reads the same figure at `range`.
    func otherEngineAgrees(at range: Range<Int>) -> Bool {
        guard let own = FigureScanner.figures(in: Array(text[range])).first else { return false }
        return FigureScanner.figures(in: otherEngineText(at: range)).contains {
            $0.unscaledValue == own.unscaledValue && $0.decimals == own.decimals
        }
    }

    /// Whether the engines read the line as different words: fewer than two thirds of the letters are the same. Poorly
    /// printed figures look like different letters to each engine. False if only one engine read the line.
    var isDisputedText: Bool {
        guard !otherEngineWords.isEmpty else { return false }
        let own = Self.letters(words)
        let other = Self.letters(otherEngineWords)
        let limit = max(own.count, other.count) / 3
        return Skeleton.distance(own[...], other[...], limit: limit) > limit
    }

    private static func letters(_ words: [RecognizedWord]) -> [UInt8] {
        let ordered = words.sorted { $0.box.x < $1.box.x }
        return Skeleton.of(ordered.lazy.flatMap(\.text.unicodeScalars).filter(\.isLatinLetter).prefix(maximumLength))
    }

    /// The characters of words, without blanks.
    private struct Shape: Equatable {
        var characters: [Unicode.Scalar] = []

        init(_ words: ArraySlice<RecognizedWord>) {
            for scalar in words.lazy.flatMap(\.text.unicodeScalars).prefix(PrintedLine.maximumLength)
            where scalar != " " {
                switch scalar {
                case "O", "o", "Q": characters.append("0")
                case ",": characters.append(".")
                case _ where FigureScanner.isMinus(scalar): characters.append("-")
                default: characters.append(scalar)
                }
            }
        }

        /// The characters without marks before and after the figure, such as a stroke or a sign of the tax class:
        /// `/2,79`, `0,25*`, `0,25%`.
        var trimmed: Shape {
            var shape = self
            func isFigure(_ scalar: Unicode.Scalar) -> Bool { scalar.isDigit || scalar == "." || scalar == "-" }
            func isMark(_ scalar: Unicode.Scalar) -> Bool { !isFigure(scalar) && !scalar.properties.isAlphabetic }
            shape.characters = Array(characters.drop(while: isMark))
            while let last = shape.characters.last, isMark(last) { shape.characters.removeLast() }
            return shape
        }

        var digits: [Unicode.Scalar] { characters.filter(\.isDigit) }

        /// Whether the characters are the same, or differ only by a comma that one engine lost.
        func agrees(with other: Shape) -> Bool {
            if self == other { return true }
            guard digits == other.digits, characters.contains("-") == other.characters.contains("-") else {
                return false
            }
            return !characters.contains(".") || !other.characters.contains(".")
        }
    }
}

extension DraftItem {
    /// Whether two independent engines read the same quantity and unit price, and quantity × unit price is the amount.
    func isQuantityReadByBoth(_ lines: [ReadLine]) -> Bool {
        guard let quantity, !quantity.isDerived, quantity.repair == nil, !quantity.isAmbiguous,
            !quantity.phrase.isCountImplied, let value, quantity.phrase.makes(value),
            let price = quantity.phrase.unitPriceRange
        else { return false }
        return self.lines.contains { index in
            let line = lines[index]
            return line.quantity == quantity.phrase && line.line.otherEngineAgrees(at: quantity.phrase.quantityRange)
                && line.line.otherEngineAgrees(at: price)
        }
    }
}
