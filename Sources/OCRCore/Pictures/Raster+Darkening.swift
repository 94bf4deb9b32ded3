import CTesseract
import Recognition

extension Raster {
    /// The picture with pale print made as dark as usual print, because the engines, and the threshold between letters
    /// and paper, are adjusted to dark print. Nil if the print is dark enough, or if there is none.
    ///
    /// Print is pale on weak copies, hazy photos and bleached thermal paper, and if strokes are thinner than a pixel of
    /// the camera.
    ///
    /// - Parameter letters: the result of `letters()` for this picture or a smaller copy of it.
    func darkened(letters: Raster) -> Raster? {
        let small = fitted(to: letters.longSide)
        guard let paper = small.paperLight(), let ink = InkShares(small, letters: letters, paper: paper),
            let all = ink.darkerQuarter(in: PixelBox(x: 0, y: 0, width: small.width, height: small.height))
        else { return nil }
        if all > Self.fadedShare { return darkened(from: all, paper: paper) }
        // Measures each letter, so that dark codes, large names and bold lines do not hide that other strokes are pale.
        let shares = letters.pieces().compactMap { ink.darkerQuarter(in: $0) }.sorted()
        guard let middle = shares.isEmpty ? nil : shares[shares.count / 2], middle > Self.paleShare else { return nil }
        return darkened(from: middle, paper: paper)
    }

    /// - Parameter share: the present brightness of the ink, in percent of the light of the paper.
    private func darkened(from share: Int, paper: Raster) -> Raster? {
        // Ink with `share` percent of the paper's light becomes ink with `darkShare` percent.
        let gain = min(256 * (100 - Self.darkShare) / (100 - min(99, share)), Self.maximumGain)
        guard let light = Raster(pixScaleToSize(paper.pix, Int32(width), Int32(height))) else { return nil }
        let (width, height) = (self.width, self.height)
        let result = withBytes { own, ownStride in
            light.withBytes { light, lightStride in
                Raster(width: width, height: height) { rows, stride in
                    for y in 0..<height {
                        let (row, from, around) = (rows + y * stride, own + y * ownStride, light + y * lightStride)
                        for x in 0..<width {
                            let paper = Int(around[x])
                            let value = paper - ((paper - Int(from[x])) * gain) >> 8
                            row[x] = UInt8(truncatingIfNeeded: max(0, min(255, value)))
                        }
                    }
                    return true
                }
            }
        }
        return (result ?? nil) ?? nil
    }

    /// Print is faded if the darker quarter of its ink has more than this percentage of the light of the paper.
    /// Measured: 26 to 56 on sharp and blurred photos and scans, 60 to 75 where black became grey.
    private static let fadedShare = 58
    /// Print is pale if the median of the letters, each measured separately, is more than this percentage. Measured: 34
    /// to 60 where print is read well, 61 to 70 where strokes are thin and letters are lost.
    private static let paleShare = 60
    /// The brightness of the ink after darkening, in percent of the light of the paper.
    private static let darkShare = 40
    /// The highest gain, in 1/256. With a higher one, noise would become print.
    private static let maximumGain = 256 * 5 / 2

    /// The brightness of the paper at every pixel: the maximum of the surroundings, which removes letters.
    private func paperLight() -> Raster? { Raster(pixCloseGray(pix, 17, 17)) }
}

/// The brightness of letters in percent of the brightness of the paper around them.
private struct InkShares {
    private let inks: PixelRows
    private let own: PixelRows
    private let light: PixelRows

    init?(_ picture: Raster, letters: Raster, paper: Raster) {
        guard picture.width == letters.width, picture.height == letters.height,
            let mask = Raster(pixConvertTo8(letters.pix, 0)), let inks = PixelRows(mask), let own = PixelRows(picture),
            let light = PixelRows(paper)
        else { return nil }
        (self.inks, self.own, self.light) = (inks, own, light)
    }

    /// The largest percentage among the darker quarter of the ink in a box; nil if there is no ink.
    func darkerQuarter(in box: PixelBox) -> Int? {
        var shares = [Int](repeating: 0, count: 101)
        var count = 0
        for y in box.y..<box.maxY {
            for x in box.x..<box.maxX where inks[x, y] == 0 {
                shares[min(100, Int(own[x, y]) * 100 / max(1, Int(light[x, y])))] += 1
                count += 1
            }
        }
        guard count > 0 else { return nil }
        var countSoFar = 0
        return shares.firstIndex {
            countSoFar += $0
            return countSoFar * 4 >= count
        }
    }
}
