import CTesseract
import Recognition

extension Raster {
    /// The clockwise rotation in radians that levels the lines of a black-and-white picture; nil if it cannot be
    /// determined.
    ///
    /// Hardly any photo is tilted by more than 14°. Angles up to 28° are tried only if none is found within 14°.
    func skew() -> Float? {
        skew(within: 14) ?? skew(within: 28)
    }

    private func skew(within range: Float) -> Float? {
        var degrees: Float = 0
        var confidence: Float = 0
        guard
            pixFindSkewSweepAndSearchScorePivot(
                pix, &degrees, &confidence, nil, 2, 1, 0, range, 1, 0.02, Int32(L_SHEAR_ABOUT_CORNER)) == 0,
            // The confidence is 0 if the best angle is at the end of the range.
            confidence > 0
        else { return nil }
        return degrees * .pi / 180
    }

    /// The height of capitals and digits of black-and-white print in pixels.
    ///
    /// Large letters may be broken into pieces, each of which would count as a letter. The shapes are regarded as
    /// pieces if closing small gaps makes them much higher and reduces their number by a third. If there is only noise
    /// between the lines, closing gaps only makes some shapes higher.
    ///
    /// - Parameter isSplintered: Whether specks and splinters may outnumber the letters.
    func capitalHeight(isSplintered: Bool = true) -> Float? {
        guard var measured = heights() else { return nil }
        var print = self
        for _ in 0..<3 {
            guard let closed = Raster(pixCloseSafeBrick(nil, print.pix, 1, Int32(measured.height / 3) | 1)),
                let other = closed.heights(), other.height >= measured.height * 1.25,
                other.count * 3 <= measured.count * 2
            else { break }
            (print, measured) = (closed, other)
        }
        return isSplintered ? measured.weighted : measured.height
    }

    /// The 65th percentile of the heights of the pieces; nil if there are too few.
    var usualHeight: Float? { heights()?.height }

    /// Measures the pieces that may be letters. Returns nil if there are fewer than 30.
    ///
    /// About two thirds of the characters of a receipt are capitals and digits. The others are shorter, so the 65th
    /// percentile is the height of a capital.
    ///
    /// - Returns: `height` is the 65th percentile of the heights. `weighted` is the same percentile with each piece
    ///   weighted by its height. It is right even if specks and splinters of broken letters outnumber the letters.
    ///   `count` is the number of pieces.
    private func heights() -> (height: Float, weighted: Float, count: Int)? {
        var letterHeights = pieces().filter(\.mayBeLetter).map(\.height)
        guard letterHeights.count >= 30 else { return nil }
        letterHeights.sort()
        var remainingHeight = letterHeights.reduce(0, +) * 65 / 100
        let weighted = letterHeights.first { height in
            remainingHeight -= height
            return remainingHeight <= 0
        }
        let height = letterHeights[(letterHeights.count * 65 + 99) / 100 - 1]
        return (Float(height), Float(weighted ?? height), letterHeights.count)
    }

    /// The picture, enlarged by the factor 2 if its letters are less than 10 pixels high or cannot be measured. Small
    /// pictures from messenger apps have such letters.
    func withLettersLargeEnough() -> Raster {
        guard longSide <= 1_200, letters()?.capitalHeight() ?? 0 < 10 else { return self }
        return scaled(by: 2)
    }
}
