import CTesseract

extension Raster {
    /// The picture without the print of a darker sheet beside a pale receipt, and the remaining letters. Nil if the
    /// dark lines have the same angle as the pale lines, because they then belong to the receipt.
    ///
    /// - Parameters:
    ///   - dark: the letters of a smaller copy at the usual contrast.
    ///   - all: the letters of the same copy at a lower contrast.
    func withoutSheet(of dark: Raster, beside all: Raster) -> (picture: Raster, letters: Raster)? {
        let unit = Int32(dark.longSide / 90 | 1)
        guard let body = Raster(pixCloseSafeBrick(nil, dark.pix, unit * 4, unit * 3)),
            let sheet = Raster(pixDilateBrick(nil, body.pix, unit, unit)),
            let rest = Raster(pixSubtract(nil, all.pix, sheet.pix)), let outside = Raster(pixInvert(nil, sheet.pix)),
            let angle = dark.skew(), let own = rest.skew(), abs(angle - own) > Self.differentAngle,
            let picture = whitened(outside: outside)
        else { return nil }
        return (picture, rest)
    }

    /// The minimum angle in radians between the lines of two sheets: 3°.
    private static var differentAngle: Float { 0.05 }
}
