import CTesseract

/// A straight, nearly vertical line in a grid of pixels.
struct SheetEdge {
    /// The x in the middle row.
    var middleX: Double
    /// The shift to the right per row.
    var slope: Double
    /// The number of rows that get clearly brighter towards the sheet, minus the number of rows that get darker.
    var hits: Int
    /// The y of the middle row.
    let middleY: Double

    func x(at y: Double) -> Double { middleX + slope * (y - middleY) }

    /// The edge in a picture that is `factor` times as large, adjusted to the largest step of brightness in some rows.
    ///
    /// - Parameter sign: 1 if the picture gets brighter to the right, otherwise -1.
    func refined(
        _ factor: Double, in rows: Range<Int>, width: Int, sign: Int, pixel: (_ x: Int, _ y: Int) -> Int
    ) -> SheetEdge {
        let scaled = SheetEdge(middleX: middleX * factor, slope: slope, hits: hits, middleY: middleY * factor)
        let reach = 6
        let centre = Double(rows.lowerBound + rows.upperBound) / 2
        var (best, highest) = (scaled, Int.min)
        for turn in [-0.02, -0.015, -0.01, -0.005, 0, 0.005, 0.01, 0.015, 0.02] {
            var turned = scaled
            turned.slope += turn
            turned.middleX -= turn * (centre - scaled.middleY)
            // Sums the steps for all shifts at once.
            let span = Int(2 * factor) + 1
            var heights = [Int](repeating: 0, count: 2 * span + 1)
            for y in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
                let at = Int(turned.x(at: Double(y) + 0.5).rounded())
                guard at - span - reach >= 0, at + span + reach < width else { continue }
                var left = (0..<reach).reduce(0) { $0 + pixel(at - span - 1 - $1, y) }
                var right = (0..<reach).reduce(0) { $0 + pixel(at - span + $1, y) }
                for shift in -span...span {
                    heights[shift + span] += (right - left) * sign
                    left += pixel(at + shift, y) - pixel(at + shift - reach, y)
                    right += pixel(at + shift + reach, y) - pixel(at + shift, y)
                }
            }
            for (index, height) in heights.enumerated() where height > highest {
                highest = height
                best = turned
                best.middleX += Double(index - span)
            }
        }
        return best
    }
}

/// The edges of a sheet. The sides are nearly vertical; the ends are nearly horizontal.
struct SheetEdges {
    let left: SheetEdge
    let right: SheetEdge
    var top: SheetEdge?
    var bottom: SheetEdge?

    var hits: Int { left.hits + right.hits }

    /// The x of the middle between the sides in a row.
    func centre(at y: Double) -> Double { (left.x(at: y) + right.x(at: y)) / 2 }

    /// Whether this sheet extends at least as far as the other to both sides.
    func isWider(than other: SheetEdges) -> Bool {
        left.middleX <= other.left.middleX && right.middleX >= other.right.middleX
    }

    /// Whether a place is inside the edges, not on them.
    func contains(_ x: Double, _ y: Double) -> Bool {
        x > left.x(at: y) + 2 && x < right.x(at: y) - 2
            && top.map { y > $0.x(at: x) + 2 } ?? true && bottom.map { y < $0.x(at: x) - 2 } ?? true
    }

    /// A picture that is black inside the edges. `isTransposed` means that the edges are those of the transposed grid.
    func mask(_ width: Int, _ height: Int, isTransposed: Bool) -> Raster? {
        Raster(width: width, height: height) { rows, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let (column, row) = isTransposed ? (y, x) : (x, y)
                    rows[y * stride + x] = contains(Double(column) + 0.5, Double(row) + 0.5) ? 0 : 255
                }
            }
            return true
        }.flatMap { Raster(pixThresholdToBinary($0.pix, 128)) }
    }

    /// The edges in a picture that is `factor` times as large, adjusted to its pixels.
    func refined(
        _ factor: Double, width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> Int
    ) -> SheetEdges {
        func clipped(_ from: Double?, _ to: Double?, below limit: Int) -> Range<Int> {
            let first = min(max(0, Int((from ?? 0) * factor)), limit - 1)
            return first..<max(first + 1, min(limit, Int((to ?? Double(limit)) * factor)))
        }
        let column = (left.middleX + right.middleX) / 2
        let down = clipped(top?.x(at: column), bottom?.x(at: column), below: height)
        let row = left.middleY
        let across = clipped(left.x(at: row), right.x(at: row), below: width)
        return SheetEdges(
            left: left.refined(factor, in: down, width: width, sign: 1, pixel: pixel),
            right: right.refined(factor, in: down, width: width, sign: -1, pixel: pixel),
            top: top?.refined(factor, in: across, width: height, sign: 1) { pixel($1, $0) },
            bottom: bottom?.refined(factor, in: across, width: height, sign: -1) { pixel($1, $0) })
    }
}
