import CTesseract
import Recognition

extension Raster {
    /// The sheet as a black area between two long straight edges. Outside these edges, the picture is darker. Nil if
    /// there are no such edges, or if nearly everything that looks like print is on the sheet.
    ///
    /// A background may be uneven, partly as bright as paper, or full of print, but it rarely has two parallel edges.
    ///
    /// - Parameter letters: the result of `letters()` for a copy of the picture in another size.
    func straightSheet(letters: Raster) -> Raster? {
        let small = fitted(to: 240)
        // Closing (the maximum of the surroundings) removes print from the paper.
        guard small.width >= 40, small.height >= 40, let blank = Raster(pixCloseGray(small.pix, 7, 7)),
            let pixels = PixelRows(blank)
        else { return nil }
        let grid = LightSteps(width: small.width, height: small.height) { Int(pixels[$0, $1]) }
        let transposed = LightSteps(width: small.height, height: small.width) { Int(pixels[$1, $0]) }
        let sheets = [(grid.sheet(ends: transposed), false), (transposed.sheet(ends: grid), true)]
        guard let (best, isTransposed) = sheets.max(by: { $0.0?.hits ?? 0 < $1.0?.hits ?? 0 }), let sheet = best,
            let rough = sheet.mask(small.width, small.height, isTransposed: isTransposed),
            rough.outside(of: letters) > 3
        else { return nil }
        // Finds the exact edges in the picture's own size.
        guard let fine = Raster(pixCloseGray(pix, 9, 9)), let rows = PixelRows(fine) else { return nil }
        let exact = sheet.refined(
            Double(longSide) / Double(small.longSide), width: isTransposed ? height : width,
            height: isTransposed ? width : height
        ) { Int(isTransposed ? rows[$1, $0] : rows[$0, $1]) }
        return exact.mask(width, height, isTransposed: isTransposed)
    }
}
