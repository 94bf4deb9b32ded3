import CTesseract
import Recognition

/// The upright, cropped, straightened grey picture that is read and kept, and how large its print is.
struct ReadingPicture {
    static let longSide = 4000
    /// The height of capitals in pixels at which the engine reads best.
    static let wantedCapital: Float = 30

    let picture: Raster
    /// Whether it had to be turned by a quarter: then it may as well stand on its head.
    let wasTurned: Bool
    /// Height of capitals in its pixels; nil when there is too little print to tell.
    let capital: Float?

    init(_ decoded: Raster) {
        var picture = decoded.fitted(to: Self.longSide)
        let quarters = picture.quarterTurn()
        wasTurned = quarters != 0
        picture = picture.turned(quarters: quarters)
        picture = picture.croppedToPaper()
        let ink = picture.inkForMeasuring()
        if let angle = ink?.skew(), abs(angle) > 0.003 { picture = picture.rotated(by: angle) }
        self.picture = picture
        capital = ink?.capitalHeight()
    }

    private init(picture: Raster, capital: Float?) {
        self.picture = picture
        self.capital = capital
        wasTurned = false
    }

    /// The same picture standing on its head.
    func upsideDown() -> ReadingPicture {
        ReadingPicture(picture: picture.turned(quarters: 2), capital: capital)
    }

    /// The picture as the engine likes it, and by how much it is larger than `picture`.
    func forEngine(_ cleaning: Cleaning = .normalised) -> (Raster, Float) {
        var factor = capital.map { Self.wantedCapital / $0 } ?? 1
        factor = max(0.4, min(4, factor))
        let pixels = Float(picture.width * picture.height)
        factor = min(factor, (16_000_000 / pixels).squareRoot())
        var clean = picture.backgroundNormalised()
        // Strokes are thickened in pixels of capitals 30 to 40 high: small print is enlarged before, large print after.
        if cleaning == .thickened, factor <= 1 { clean = clean.thickened() }
        clean = clean.scaled(by: factor)
        if cleaning == .thickened, factor > 1 { clean = clean.thickened() }
        return (clean, abs(factor - 1) < 0.01 ? 1 : factor)
    }
}

/// Ways to clean a picture before it is read.
enum Cleaning: String, Sendable {
    case normalised
    case thickened
}
