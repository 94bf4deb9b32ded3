import CTesseract
import Recognition

/// The upright, cropped, straightened grey picture that is read and kept, with the size of its print.
struct ReadingPicture {
    /// The maximum long side in pixels.
    static let longSide = 4000
    /// The height of capitals in pixels at which the engines read best.
    static let wantedCapital: Float = 30

    let picture: Raster
    /// The height of capitals in pixels of the picture; nil if there is too little print to measure.
    let capital: Float?
    /// The remaining bend of its lines; nil if they were made level or the bend is unknown.
    let bend: LineBend?
    /// The place of this picture in the decoded picture; nil for a picture that was kept from an earlier reading.
    let placement: PagePlacement?

    /// Finds the printed column by its letters, not by the edge of the paper, because letters look the same on every
    /// background.
    ///
    /// - Parameters:
    ///   - quarters: The clockwise quarter turns that probably make the lines level.
    ///   - letters: the result of `letters()` for a smaller copy of `decoded`.
    init(_ decoded: Raster, quarters: Int, letters: Raster) {
        let turned = letters.turned(quarters: quarters)
        let angle = turned.skew() ?? 0
        let column = turned.rotated(by: angle).printedColumn()
        let factor = Float(decoded.longSide) / Float(letters.longSide)
        let margin = 12 + column.height / 60
        /// Converts a length from pixels of `letters` to pixels of `decoded`.
        func full(_ value: Int) -> Int { Int(Float(value) * factor) }
        // Turning enlarges both pictures about their middles by the same factor.
        let box = PixelBox(
            x: full(column.x - margin), y: full(column.y - margin), width: full(column.width + 2 * margin),
            height: full(column.height + 2 * margin))
        let quarterTurned = decoded.turned(quarters: quarters)
        let straight = quarterTurned.rotated(by: angle)
        let visible = straight.visible(box)
        let croppedPicture = straight.cropped(to: visible)
        let printedLetters = PrintedLetters(croppedPicture, joined: 4)
        let (print, capital) = (printedLetters?.picture, printedLetters?.capital)
        self.capital = capital
        let bend = capital.flatMap { capital in print.flatMap { LineBend($0.pieces(), capital: Int(capital)) } }
        let flattened = bend.flatMap { bend in
            capital.flatMap {
                quarterTurned.flattened(
                    visible, angle: angle, size: (straight.width, straight.height), bend: bend, capital: Int($0))
            }
        }
        picture = flattened ?? croppedPicture
        self.bend = flattened == nil ? bend : nil
        placement = PagePlacement(
            visible, of: (straight.width, straight.height), angle: angle,
            in: (quarterTurned.width, quarterTurned.height),
            quarters: quarters)
    }

    /// Restores a reading picture that was kept.
    init(upright picture: Raster) {
        let letters = PrintedLetters(picture, joined: 4)
        let capital = letters?.capital
        let bend = capital.flatMap { capital in
            letters.flatMap { LineBend($0.picture.pieces(), capital: Int(capital)) }
        }
        self.init(picture: picture, capital: capital, bend: bend, placement: nil)
    }

    private init(picture: Raster, capital: Float?, bend: LineBend?, placement: PagePlacement?) {
        self.placement = placement
        self.picture = picture
        self.capital = capital
        self.bend = bend
    }

    /// The picture turned upside down.
    func upsideDown() -> ReadingPicture {
        ReadingPicture(
            picture: picture.turned(quarters: 2), capital: capital,
            bend: bend?.upsideDown(width: picture.width, height: picture.height), placement: placement?.upsideDown)
    }

    /// The picture prepared for the engines, and the factor by which it is larger than `picture`.
    func forEngine(_ cleaning: Cleaning = .normalised) -> (picture: Raster, factor: Float) {
        let factor = self.factor
        return (cleaning.apply(to: picture).scaled(by: factor), abs(factor - 1) < 0.01 ? 1 : factor)
    }

    /// The factor by which the prepared picture is larger than `picture`.
    private var factor: Float {
        let wanted = max(0.4, min(4, capital.map { Self.wantedCapital / $0 } ?? 1))
        return min(wanted, (16_000_000 / Float(picture.width * picture.height)).squareRoot())
    }
}
