import CTesseract

/// Ways to clean a picture for the engine.
enum Cleaning {
    /// Grey, the paper's shade divided out.
    case normalised
    /// The same with strokes made thicker and soft: for the thin dotted print of needles and worn thermal heads.
    case thickened

    func apply(to picture: Raster) -> Raster {
        switch self {
        case .normalised: Raster(pixBackgroundNorm(picture.pix, nil, nil, 16, 16, 60, 60, 235, 2, 2)) ?? picture
        case .thickened:
            // Eroding a grey picture spreads its dark parts.
            Raster(pixErodeGray(Cleaning.normalised.apply(to: picture).pix, 3, 3)).flatMap {
                Raster(pixBlockconvGray($0.pix, nil, 1, 1))
            } ?? picture
        }
    }
}
