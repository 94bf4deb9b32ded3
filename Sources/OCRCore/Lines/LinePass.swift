/// How a line is prepared for an engine. Different passes misread different lines, so a result that several passes
/// agree on is probably right.
struct LinePass: Hashable {
    var cleaning: Cleaning
    /// The height of capitals in the strip, in pixels.
    var capital: Int
    /// The width to which wider blanks are narrowed, in tenths of the line's height.
    var maximumBlank: Int
    /// Whether every pixel is made black or white.
    var isBlackAndWhite = false
    /// The width of the blank border around the line, in pixels before scaling, when capitals are about 30 pixels high.
    var border = 8

    /// The passes for Tesseract in this order, chosen by measurements on real receipts. No other two passes complement
    /// each other as well as the first two. The last pass is used if the first three disagree.
    static let all = [
        LinePass(cleaning: .normalised, capital: 24, maximumBlank: 12),
        LinePass(cleaning: .softened, capital: 30, maximumBlank: 6),
        LinePass(cleaning: .softened, capital: 36, maximumBlank: 10),
        LinePass(cleaning: .normalised, capital: 33, maximumBlank: 8),
    ]

    /// The pass for lines in which the passes above find no text, such as a line across the edge of a shadow. In such a
    /// line, Tesseract read a clear `1 Stk x 3,19   3,19 A` as `ı SCREEN ER`.
    static let blackAndWhite = LinePass(cleaning: .normalised, capital: 30, maximumBlank: 10, isBlackAndWhite: true)

    /// The passes for places that are read again. They differ from the first passes of `all` in size, strokes and
    /// blanks.
    static let forRereading = [
        LinePass(cleaning: .normalised, capital: 33, maximumBlank: 8),
        LinePass(cleaning: .softened, capital: 26, maximumBlank: 8),
        LinePass(cleaning: .thickened, capital: 33, maximumBlank: 6),
    ]

    /// The pass for the second engine.
    static let neural = LinePass(cleaning: .normalised, capital: 30, maximumBlank: 10, border: 2)

    /// The pass for the second engine on frames of a live camera. The engine scales every strip to the same height. A
    /// wider border therefore makes the letters smaller, and smaller letters are read faster.
    static let neuralSmall = LinePass(cleaning: .normalised, capital: 30, maximumBlank: 8, border: 6)
}
