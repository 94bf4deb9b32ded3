import CTesseract
import Recognition

extension Raster {
    /// The picture with everything but its paper, the largest bright body, made white; nil if there is no such body.
    ///
    /// Used for paper on a pattern that looks like print, such as a checked cloth, a grille or another print. In uneven
    /// light, a part of the paper may be lost. So `paperAlone()` is used only if the whole picture gives no print or
    /// too many lines.
    func paperAlone() -> Raster? {
        brightSheet().flatMap { whitened(outside: $0) }
    }

    /// The largest bright body of a smaller copy, black on white, with its holes filled.
    func brightSheet() -> Raster? {
        let small = fitted(to: 400)
        guard small.width >= 60, small.height >= 60,
            // Closing (the maximum of the surroundings) removes print from the paper.
            let blank = Raster(pixCloseGray(small.pix, 9, 9)), let dark = blank.darkHalf(),
            let bright = Raster(pixInvert(nil, dark.pix)),
            let bodies = Raster(pixOpenBrick(nil, bright.pix, 7, 7))
        else { return nil }
        let area = small.width * small.height
        let parts = bodies.pieces().map { (box: $0, pixels: bodies.cropped(to: $0).ink()) }
        guard let paper = parts.max(by: { $0.pixels < $1.pixels }), paper.pixels * 12 > area,
            paper.box.width * paper.box.height * 100 < area * 95,
            // A sheet of paper fills much of its box, even if it is rotated. Connected thin bright lines do not.
            paper.pixels * 5 > paper.box.width * paper.box.height * 2
        else { return nil }
        return bodies.filled(paper.box)
    }

    /// The dark part of a picture as black on white, by the threshold that best separates dark and bright pixels.
    func darkHalf() -> Raster? {
        var mask: UnsafeMutablePointer<Pix>?
        guard pixOtsuAdaptiveThreshold(pix, Int32(width), Int32(height), 0, 0, 0.1, nil, &mask) == 0 else { return nil }
        return Raster(mask)
    }

    /// `darkHalf()` as a grey picture of black and white pixels.
    func blackAndWhite() -> Raster? { darkHalf().flatMap { Raster(pixConvertTo8($0.pix, 0)) } }

    /// The number of black pixels of a black-and-white picture.
    func ink() -> Int {
        var count: Int32 = 0
        return pixCountPixels(pix, &count, nil) == 0 ? Int(count) : 0
    }

    /// A picture of only the body that has this box. Its holes are filled, because print and dark pictures on the paper
    /// belong to the body.
    func filled(_ box: PixelBox) -> Raster? {
        guard
            let largest = Raster(
                pixSelectBySize(
                    pix, Int32(box.width), Int32(box.height), 8, Int32(L_SELECT_IF_BOTH), Int32(L_SELECT_IF_GTE), nil)),
            let holes = Raster(pixHolesByFilling(largest.pix, 4))
        else { return nil }
        return Raster(pixOr(nil, largest.pix, holes.pix))
    }

    /// The picture, made white where `body` is white. `body` is a black-and-white picture and may be smaller.
    func whitened(outside body: Raster) -> Raster? {
        guard let full = Raster(pixScaleToSize(body.pix, Int32(width), Int32(height))),
            let outside = Raster(pixInvert(nil, full.pix)), let copy = Raster(pixCopy(nil, pix)),
            pixSetMasked(copy.pix, outside.pix, 255) == 0
        else { return nil }
        return copy
    }
}
