import CTesseract
import Recognition

extension Raster {
    /// The picture with everything but its paper made white. Used for grained backgrounds (granite, carpet, gravel,
    /// cloth, newspaper), and for backgrounds much darker than the paper with a faint weave, such as a car's seat.
    /// After cleaning, they would look like print beside the lines. Nil if the background is even or no sheet is found.
    ///
    /// - Parameter letters: the result of `letters()` for a smaller copy of the picture.
    func paperOnGrain(letters: Raster) -> Raster? {
        let small = fitted(to: 1_000)
        guard min(small.width, small.height) >= 100, let even = small.evenPixels() else { return nil }
        if !even.hasBrightRim {
            if let sheet = small.straightSheet(letters: letters), small.isBackground(around: sheet, letters: letters) {
                return whitened(outside: sheet)
            }
            if let sheet = small.evenSheet(even, letters: letters) { return whitened(outside: sheet) }
        }
        // If the lines of print are close together, there is no even paper between them. Then brightness is used to
        // find the sheet.
        guard let bright = brightSheet(), bright.isSheet else { return nil }
        let outside = bright.outside(of: letters)
        let isOnGrain =
            outside >= Self.grainPercentage && !even.hasBrightRim
            && small.roughness(outside: bright) >= Self.grainRoughness
        // A dark background is hidden only if this hides hardly any letters, or if no letters are close to the sheet's
        // edge. In other cases, the edge belongs to a shadow.
        guard isOnGrain || (small.isOnDarkWeave(bright, even: even) && (outside <= 3 || !bright.cuts(letters))) else {
            return nil
        }
        return whitened(outside: bright)
    }

    /// Whether less than 60 % of the area outside a black sheet is even, and its brightness is less than 60 % of the
    /// brightness inside. Measured: at most 41 % of a weave is even, and at least 80 % of a smooth table, which need
    /// not be hidden.
    private func isOnDarkWeave(_ sheet: Raster, even: Raster) -> Bool {
        guard let body = Raster(pixScaleToSize(sheet.pix, Int32(width), Int32(height))),
            // The edge of the paper and its shadow count neither as paper nor as background.
            let near = Raster(pixDilateBrick(nil, body.pix, 41, 41)),
            let paperMask = Raster(pixConvertTo8(body.pix, 0)), let nearMask = Raster(pixConvertTo8(near.pix, 0)),
            let onPaper = PixelRows(paperMask), let nearPaper = PixelRows(nearMask),
            let evens = PixelRows(even), let own = PixelRows(self)
        else { return false }
        var (paperLight, paperCount, groundLight, groundCount, evenCount) = (0, 0, 0, 0, 0)
        for y in Swift.stride(from: 0, to: height, by: 2) {
            for x in Swift.stride(from: 0, to: width, by: 2) {
                if onPaper[x, y] == 0 {
                    paperLight += Int(own[x, y])
                    paperCount += 1
                } else if nearPaper[x, y] != 0 {
                    groundLight += Int(own[x, y])
                    groundCount += 1
                    if evens[x, y] != 0 { evenCount += 1 }
                }
            }
        }
        return paperCount > 0 && groundCount > 0
            && groundLight * paperCount * 10 < paperLight * groundCount * 6 && evenCount * 10 < groundCount * 6
    }

    /// The minimum percentage of shapes like letters outside the paper that proves a grained background. Measured: at
    /// most 69 at the edges of shadows, where paper looks grained too; 79 to 91 on granite around small sheets.
    private static let grainPercentage = 75

    /// Limits of `roughness(outside:)`. From `noiseRoughness` on, the roughness is more than noise. From
    /// `grainRoughness` on, the background is grained even without other signs. Measured: 7 to 12 in shadows, once 16;
    /// 13 to 190 on grain, and 27 or more if print is close to the edge of the paper.
    private static let noiseRoughness = 13
    private static let grainRoughness = 25

    /// The paper as a black area. Paper is recognised by its even brightness between the letters.
    private func evenSheet(_ even: Raster, letters: Raster) -> Raster? {
        guard
            // A window covers a line of print and the blanks around it. On paper, a third of its pixels are even.
            let density = Raster(pixBlockconvGray(even.pix, nil, 12, 12)),
            let grained = Raster(pixThresholdToBinary(density.pix, 255 * 3 / 10)),
            let dense = Raster(pixInvert(nil, grained.pix)),
            let body = dense.evenBody(), let paper = Raster(pixDilateBrick(nil, body.pix, 9, 9)),
            isOnGrain(paper, even: even)
        else { return nil }
        // If everything that looks like print is on the paper, the background need not be hidden.
        let outside = paper.outside(of: letters)
        guard outside > 3, outside < 95 else { return nil }
        let roughness = roughness(outside: paper)
        guard roughness >= Self.noiseRoughness else { return nil }
        return (outside >= Self.grainPercentage && roughness >= Self.grainRoughness) || !paper.cuts(letters)
            ? paper : nil
    }

    /// Whether the area beside a black sheet is background, not the same paper in a shadow.
    private func isBackground(around sheet: Raster, letters: Raster) -> Bool {
        let roughness = roughness(outside: sheet)
        return roughness >= Self.grainRoughness
            || (roughness >= Self.noiseRoughness && sheet.outside(of: letters) >= Self.grainPercentage)
    }

    /// The sheet among the even areas, as a black area.
    private func evenBody() -> Raster? {
        // Closing adds bars and pictures to the sheet; opening removes thin even parts of the background.
        guard let body = joined(31)?.withoutArms(41)?.largestBody() else { return nil }
        if body.isSheet { return body }
        // Removes small even areas of the background, and adds a fiscal code at the edge of the paper.
        guard let clean = withoutArms(21)?.joined(31)?.largestBody()?.withoutArms(81)?.largestBody()?.joined(151),
            clean.isSheet
        else {
            return nil
        }
        return clean
    }

    /// A black body with gaps up to `side` pixels closed.
    private func joined(_ side: Int32) -> Raster? { Raster(pixCloseSafeBrick(nil, pix, side, side)) }

    /// A black body without parts that are narrower than `side` pixels.
    private func withoutArms(_ side: Int32) -> Raster? { Raster(pixOpenBrick(nil, pix, side, side)) }

    /// The percentage of the letters that are not on a black sheet.
    func outside(of letters: Raster) -> Int {
        guard let mask = Raster(pixScaleToSize(pix, Int32(letters.width), Int32(letters.height))),
            let printed = Raster(pixAnd(nil, mask.pix, letters.pix))
        else { return 0 }
        return 100 - printed.ink() * 100 / max(1, letters.ink())
    }

    /// Whether a picture is white along most of its edge. For `evenPixels()`, this means that the edge of the
    /// photo is an even background or the paper itself.
    private var hasBrightRim: Bool {
        guard let pixels = PixelRows(self) else { return false }
        let rim = 16
        var bright = 0
        for y in 0..<height {
            let isInside = y >= rim && y < height - rim
            for x in 0..<width where !isInside || x < rim || x >= width - rim {
                if pixels[x, y] != 0 { bright += 1 }
            }
        }
        return bright * 100 > 2 * rim * (width + height) * 70
    }

    /// A picture that is white where a pixel differs little from its neighbours.
    private func evenPixels() -> Raster? {
        guard let brightest = Raster(pixDilateGray(pix, 3, 3)), let darkest = Raster(pixErodeGray(pix, 3, 3)) else {
            return nil
        }
        let (width, height) = (self.width, self.height)
        let result = brightest.withBytes { bright, brightStride in
            darkest.withBytes { dark, darkStride in
                Raster(width: width, height: height) { rows, stride in
                    for y in 0..<height {
                        for x in 0..<width {
                            let (high, low) = (bright[y * brightStride + x], dark[y * darkStride + x])
                            // The noise of a camera is up to a sixteenth of the brightness; up to 6 in dark places.
                            rows[y * stride + x] = high - low <= max(6, high / 16) ? 255 : 0
                        }
                    }
                    return true
                }
            }
        }
        return (result ?? nil) ?? nil
    }

    /// The largest connected part, with its holes filled; nil if there is none.
    private func largestBody() -> Raster? {
        pieces().max { $0.width * $0.height < $1.width * $1.height }.flatMap(filled)
    }

    /// Whether a black body covers a large part of the picture but not all of it, and has no notches or arms.
    private var isSheet: Bool {
        let (count, area) = (ink(), width * height)
        guard count * 100 > area * 8, count * 100 < area * 95 else { return false }
        let (rows, columns) = spans()
        return count * 100 >= rows * 95 && count * 100 >= columns * 95
    }

    /// The number of pixels between the first and the last black one, summed over all rows, and over all columns.
    private func spans() -> (rows: Int, columns: Int) {
        guard let grey = Raster(pixConvertTo8(pix, 0)), let bytes = PixelRows(grey) else { return (.max, .max) }
        var rows = 0
        var tops = [Int?](repeating: nil, count: width)
        var bottoms = tops
        for y in 0..<height {
            var (first, last): (Int?, Int) = (nil, 0)
            for x in 0..<width where bytes[x, y] == 0 {
                first = first ?? x
                last = x
                tops[x] = tops[x] ?? y
                bottoms[x] = y
            }
            if let first { rows += last + 1 - first }
        }
        let columns = zip(tops, bottoms).reduce(0) { sum, span in
            guard let top = span.0, let bottom = span.1 else { return sum }
            return sum + bottom + 1 - top
        }
        return (rows, columns)
    }

    /// Whether letters are close to the edge of a black sheet. A real sheet has a blank margin. The edge of a shadow
    /// may run through letters, because noise makes paper in a shadow look grained.
    private func cuts(_ letters: Raster) -> Bool {
        let unit = max(letters.longSide / 120, 1)
        guard let mask = Raster(pixScaleToSize(pix, Int32(letters.width), Int32(letters.height))),
            let near = mask.inset(by: 2 * unit), let inner = mask.inset(by: 3 * unit),
            let deep = mask.inset(by: 6 * unit),
            let rim = Raster(pixSubtract(nil, near.pix, inner.pix)),
            let onRim = Raster(pixAnd(nil, rim.pix, letters.pix)),
            let within = Raster(pixAnd(nil, deep.pix, letters.pix))
        else { return false }
        // Measured on photos, relative to the density within the print: 0 to 8 % on sheets, 13 to 60 % along shadows.
        return onRim.ink() * deep.ink() * 10 > within.ink() * rim.ink()
    }

    /// A black body without the pixels closer to its edge than `distance`. The edge of the picture does not count.
    private func inset(by distance: Int) -> Raster? {
        let (border, brick) = (Int32(distance), Int32(2 * distance + 1))
        guard let framed = Raster(pixAddBorder(pix, border, 1)),
            let eroded = Raster(pixErodeBrick(nil, framed.pix, brick, brick))
        else { return nil }
        return Raster(pixRemoveBorder(eroded.pix, border))
    }

    /// Whether the area outside a black sheet is mostly uneven, and darker than the sheet.
    private func isOnGrain(_ sheet: Raster, even: Raster) -> Bool {
        guard let mask = Raster(pixConvertTo8(sheet.pix, 0)), let inside = PixelRows(mask),
            let evens = PixelRows(even), let own = PixelRows(self)
        else { return false }
        var (paperLight, groundLight, groundCount, evenCount) = (0, 0, 0, 0)
        for y in Swift.stride(from: 0, to: height, by: 2) {
            for x in Swift.stride(from: 0, to: width, by: 2) {
                if inside[x, y] == 0 {
                    paperLight += Int(own[x, y])
                } else {
                    groundCount += 1
                    groundLight += Int(own[x, y])
                    if evens[x, y] != 0 { evenCount += 1 }
                }
            }
        }
        let pixelCount = ((height + 1) / 2) * ((width + 1) / 2)
        return groundCount > 0 && groundCount < pixelCount && evenCount * 4 < groundCount
            && paperLight * groundCount > groundLight * (pixelCount - groundCount)
    }

    /// The roughness outside a black sheet divided by the roughness inside, in tenths. Roughness is the median
    /// difference between a pixel and its neighbours.
    ///
    /// The noise of a camera makes paper in a shadow look grained, but only slightly rougher than the rest of the
    /// paper.
    private func roughness(outside sheet: Raster) -> Int {
        guard let body = Raster(pixScaleToSize(sheet.pix, Int32(width), Int32(height))),
            let mask = Raster(pixConvertTo8(body.pix, 0)), let inside = PixelRows(mask),
            let brightest = Raster(pixDilateGray(pix, 3, 3)), let high = PixelRows(brightest),
            let darkest = Raster(pixErodeGray(pix, 3, 3)), let low = PixelRows(darkest)
        else { return 0 }
        // The number of pixels for each difference.
        var paper = [Int](repeating: 0, count: 256)
        var ground = paper
        for y in Swift.stride(from: 0, to: height, by: 2) {
            for x in Swift.stride(from: 0, to: width, by: 2) {
                let range = Int(high[x, y] - low[x, y])
                if inside[x, y] == 0 { paper[range] += 1 } else { ground[range] += 1 }
            }
        }
        return Self.median(ground) * 10 / max(1, Self.median(paper))
    }

    /// The median of the counted values.
    private static func median(_ counts: [Int]) -> Int {
        let half = counts.reduce(0, +) / 2
        var sum = 0
        return counts.firstIndex {
            sum += $0
            return sum > half
        } ?? 0
    }
}
