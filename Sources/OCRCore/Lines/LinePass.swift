/// One way to read a line. They err in different places, so what several say alike is likely right.
struct LinePass: Hashable {
    var cleaning: Cleaning
    /// Height of capitals in the strip, in pixels.
    var capital: Int
    /// Blanks wider than this are narrowed, in tenths of the line's height.
    var widestBlank: Int
    /// Every pixel ink or paper, nothing between.
    var isBlackAndWhite = false

    /// In this order, measured on real receipts: the first two complement each other best; the last is for what the
    /// first three do not settle.
    static let all = [
        LinePass(cleaning: .normalised, capital: 24, widestBlank: 12),
        LinePass(cleaning: .softened, capital: 30, widestBlank: 6),
        LinePass(cleaning: .softened, capital: 36, widestBlank: 10),
        LinePass(cleaning: .normalised, capital: 33, widestBlank: 8),
    ]

    /// For lines that make no sense in any of these: where print of two strengths stands in one line, as in the shadow of
    /// a phone that ends amid the paper, the engine read `ı SCREEN ER` from a clear `1 Stk x 3,19   3,19 A`.
    static let blackAndWhite = LinePass(cleaning: .normalised, capital: 30, widestBlank: 10, isBlackAndWhite: true)

    /// For what a receipt's sums leave open: other sizes, strokes and blanks than those most lines were first read in.
    static let again = [
        LinePass(cleaning: .normalised, capital: 33, widestBlank: 8),
        LinePass(cleaning: .softened, capital: 26, widestBlank: 8),
        LinePass(cleaning: .thickened, capital: 33, widestBlank: 6),
    ]
}
