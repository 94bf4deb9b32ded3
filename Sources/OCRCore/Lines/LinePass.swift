/// One way to prepare a line for an engine. Passes fail in different places, so a result of several passes is likely right.
struct LinePass: Hashable {
    var cleaning: Cleaning
    /// Height of capitals in the strip, in pixels.
    var capital: Int
    /// Blanks wider than this are narrowed, in tenths of the line's height.
    var widestBlank: Int
    /// Whether every pixel is made black or white.
    var isBlackAndWhite = false
    /// Blank pixels around the line, at 30 pixels of capital height.
    var border = 8

    /// For Tesseract, in this order, by measurement on real receipts: the first two complement each other best; the last is
    /// used when the first three disagree.
    static let all = [
        LinePass(cleaning: .normalised, capital: 24, widestBlank: 12),
        LinePass(cleaning: .softened, capital: 30, widestBlank: 6),
        LinePass(cleaning: .softened, capital: 36, widestBlank: 10),
        LinePass(cleaning: .normalised, capital: 33, widestBlank: 8),
    ]

    /// For lines in which none of these finds text: where a shadow ends within the line, Tesseract read `ı SCREEN ER` from a
    /// clear `1 Stk x 3,19   3,19 A`.
    static let blackAndWhite = LinePass(cleaning: .normalised, capital: 30, widestBlank: 10, isBlackAndWhite: true)

    /// For places that are read again: other sizes, strokes and blanks than those of the first readings.
    static let again = [
        LinePass(cleaning: .normalised, capital: 33, widestBlank: 8),
        LinePass(cleaning: .softened, capital: 26, widestBlank: 8),
        LinePass(cleaning: .thickened, capital: 33, widestBlank: 6),
    ]

    /// For the second engine.
    static let neural = LinePass(cleaning: .normalised, capital: 30, widestBlank: 10, border: 2)
}
