import CTesseract
import Recognition

/// The upright, cropped, straightened grey picture that is read and kept, and how large its print is.
struct ReadingPicture {
    static let longSide = 4000
    /// The height of capitals in pixels at which the engines read best.
    static let wantedCapital: Float = 30

    let picture: Raster
    /// Height of capitals in its pixels; nil when there is too little print to measure.
    let capital: Float?
    /// The remaining bend of its lines; nil when they were made level, or it is unknown.
    let bend: LineBend?
    /// Where it is in the picture that it was made of; nil for one that was kept.
    let placement: PagePlacement?

    /// Finds the printed column by its letters, not by the paper's edge: letters look the same on every background.
    ///
    /// - Parameters:
    ///   - quarters: Clockwise quarter turns that probably make the lines level.
    ///   - letters: `decoded.letters()` of a smaller copy.
    init(_ decoded: Raster, quarters: Int, letters: Raster) {
        let turned = letters.turned(quarters: quarters)
        let angle = turned.skew() ?? 0
        let column = turned.rotated(by: angle).printedColumn()
        let factor = Float(decoded.longSide) / Float(letters.longSide)
        let margin = 12 + column.height / 60
        func full(_ value: Int) -> Int { Int(Float(value) * factor) }
        // Turning enlarges both canvases about their middles in the same proportion.
        let box = PixelBox(
            x: full(column.x - margin), y: full(column.y - margin), width: full(column.width + 2 * margin),
            height: full(column.height + 2 * margin))
        let lying = decoded.turned(quarters: quarters)
        let straight = lying.rotated(by: angle)
        let visible = straight.visible(box)
        let cut = straight.cropped(to: visible)
        let print = cut.letters(joined: 4)
        let capital = print?.capitalHeight()
        self.capital = capital
        let bend = capital.flatMap { capital in print.flatMap { LineBend($0.pieces(), capital: Int(capital)) } }
        let level = bend.flatMap { bend in
            capital.flatMap {
                lying.flattened(
                    visible, angle: angle, size: (straight.width, straight.height), bend: bend, capital: Int($0))
            }
        }
        picture = level ?? cut
        self.bend = level == nil ? bend : nil
        placement = PagePlacement(
            visible, of: (straight.width, straight.height), angle: angle, in: (lying.width, lying.height),
            quarters: quarters)
    }

    /// A reading picture that was kept.
    init(upright picture: Raster) {
        let letters = picture.letters(joined: 4)
        let capital = letters?.capitalHeight()
        let bend = capital.flatMap { capital in letters.flatMap { LineBend($0.pieces(), capital: Int(capital)) } }
        self.init(picture: picture, capital: capital, bend: bend, placement: nil)
    }

    private init(picture: Raster, capital: Float?, bend: LineBend?, placement: PagePlacement?) {
        self.placement = placement
        self.picture = picture
        self.capital = capital
        self.bend = bend
    }

    /// The same picture upside down.
    func upsideDown() -> ReadingPicture {
        ReadingPicture(
            picture: picture.turned(quarters: 2), capital: capital,
            bend: bend?.upsideDown(width: picture.width, height: picture.height), placement: placement?.upsideDown)
    }

    /// The picture prepared for the engines, and the factor by which it is larger than `picture`.
    func forEngine(_ cleaning: Cleaning = .normalised) -> (Raster, Float) {
        let factor = self.factor
        return (cleaning.apply(to: picture).scaled(by: factor), abs(factor - 1) < 0.01 ? 1 : factor)
    }

    /// The factor by which the prepared picture is larger than `picture`.
    private var factor: Float {
        let wanted = max(0.4, min(4, capital.map { Self.wantedCapital / $0 } ?? 1))
        return min(wanted, (16_000_000 / Float(picture.width * picture.height)).squareRoot())
    }
}
