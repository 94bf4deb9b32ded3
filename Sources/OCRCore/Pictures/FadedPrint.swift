import CTesseract

extension Raster {
    /// The picture with the print as dark as print usually is, where it has faded all over: pale copies, hazy photos, heat that
    /// bleached the paper. Nil where it is dark enough, or there is none.
    ///
    /// What tells letters from paper, and the engine after it, counts on that darkness.
    ///
    /// - Parameter letters: `letters()` of a smaller copy, or of this picture itself.
    func darkened(letters: Raster) -> Raster? {
        let small = fitted(to: letters.longSide)
        guard let paper = small.paperLight(), let share = small.lightOfInk(letters: letters, paper: paper),
            share > Self.faded
        else { return nil }
        // Ink of so many percent of the paper's light becomes that of `dark` percent.
        let gain = min(256 * (100 - Self.dark) / (100 - min(99, share)), Self.strongest)
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

    /// The darker quarter of the ink has at most so many percent of the light of the paper around it. Measured: 26 to 56 on
    /// sharp and on blurred photos and scans, 60 to 75 where black became grey.
    private static let faded = 58
    private static let dark = 40
    /// In 1/256: beyond that noise would become print.
    private static let strongest = 256 * 5 / 2

    /// How bright the paper is, everywhere: letters vanish where the brightest of their surroundings counts.
    private func paperLight() -> Raster? { Raster(pixCloseGray(pix, 17, 17)) }

    /// What share of the paper's light the darker quarter of the letters has, in percent.
    private func lightOfInk(letters: Raster, paper: Raster) -> Int? {
        guard width == letters.width, height == letters.height, let mask = Raster(pixConvertTo8(letters.pix, 0)),
            let inks = PixelRows(mask), let own = PixelRows(self), let light = PixelRows(paper)
        else { return nil }
        var shares = [Int](repeating: 0, count: 101)
        var count = 0
        for y in 0..<height {
            for x in 0..<width where inks[x, y] == 0 {
                shares[min(100, Int(own[x, y]) * 100 / max(1, Int(light[x, y])))] += 1
                count += 1
            }
        }
        guard count > 0 else { return nil }
        var seen = 0
        return shares.firstIndex {
            seen += $0
            return seen * 4 >= count
        }
    }
}
