/// The positions at which the rows of a grid of pixels get clearly brighter or darker.
struct LightSteps {
    let width: Int
    let height: Int
    /// For each row and each boundary between its pixels, from left to right: 1 where it gets brighter, -1 where it
    /// gets darker, 0 elsewhere.
    private let signs: [Int8]

    /// The number of pixels that are compared on each side of a boundary.
    private static let reach = 4

    init(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> Int) {
        (self.width, self.height) = (width, height)
        let reach = Self.reach
        var signs = [Int8](repeating: 0, count: (width + 1) * height)
        var sums = [Int](repeating: 0, count: width + 2 * reach + 1)
        for y in 0..<height {
            for index in 0..<(width + 2 * reach) {
                sums[index + 1] = sums[index] + pixel(min(max(index - reach, 0), width - 1), y)
            }
            for x in 0...width {
                let left = sums[x + reach] - sums[x]
                let right = sums[x + 2 * reach] - sums[x + reach]
                // The difference must exceed an eighth of the brighter side, plus one level per pixel for dark places.
                let least = (max(left, right) + 8 * reach) / 8
                if abs(right - left) > least { signs[y * (width + 1) + x] = right > left ? 1 : -1 }
            }
        }
        self.signs = signs
    }

    /// The step at a boundary between pixels: 1, -1 or 0, as in `signs`; 0 outside the grid.
    private func sign(_ x: Double, _ y: Int) -> Int {
        let at = Int(x.rounded())
        return at >= 0 && at <= width ? Int(signs[y * (width + 1) + at]) : 0
    }

    /// The sheet with the clearest sides. Its upper and lower end are found with `ends`, the steps of the transposed
    /// grid. If the sides continue beyond the edge of a shadow, the sheet does too.
    func sheet(ends: LightSteps) -> SheetEdges? {
        let sides = sides(minimumHits: height * 35 / 100)
        var best: SheetEdges?
        for left in sides.left {
            for right in sides.right
            where right.middleX - left.middleX >= Double(width) / 8 && abs(right.slope - left.slope) <= 0.12 {
                var sheet = SheetEdges(left: left, right: right)
                if let best, !sheet.isWider(than: best), best.isWider(than: sheet) || sheet.hits <= best.hits {
                    continue
                }
                sheet.top = ends.end(of: sheet, sign: 1, sides: self)
                sheet.bottom = ends.end(of: sheet, sign: -1, sides: self)
                if isSeen(sheet) { best = sheet }
            }
        }
        return best
    }

    /// Whether both sides are visible along most of their length.
    private func isSeen(_ sheet: SheetEdges) -> Bool {
        let middle = (sheet.left.middleX + sheet.right.middleX) / 2
        let top = max(0, sheet.top?.x(at: middle) ?? 0)
        let length = min(Double(height), sheet.bottom?.x(at: middle) ?? Double(height)) - top
        return length > 0 && Double(min(sheet.left.hits, sheet.right.hits)) >= length * 0.7
    }

    /// The clearest left sides and the clearest right sides, at most six of each. At a left side, the picture gets
    /// brighter to the right; at a right side, it gets darker.
    ///
    /// - Parameter minimumHits: the minimum of `SheetEdge.hits`.
    private func sides(minimumHits: Int) -> (left: [SheetEdge], right: [SheetEdge]) {
        let slopes = Array(Swift.stride(from: -0.4, through: 0.4, by: 1.5 / Double(height)))
        let row = width + 1
        var sums = [Int32](repeating: 0, count: slopes.count * row)
        signs.withUnsafeBufferPointer { signs in
            sums.withUnsafeMutableBufferPointer { sums in
                for (index, slope) in slopes.enumerated() {
                    for y in 0..<height {
                        let shift = Int((slope * (Double(y) + 0.5 - Double(height) / 2)).rounded())
                        let from = max(0, -shift)
                        let to = min(row, row - shift)
                        guard from < to else { continue }
                        for x in from..<to { sums[index * row + x] += Int32(signs[y * row + x + shift]) }
                    }
                }
            }
        }
        func clearest(_ sign: Int32) -> [SheetEdge] {
            let most = sums.reduce(0) { max($0, $1 * sign) }
            // Both sides of a sheet are about equally clear.
            let enough = max(Int32(minimumHits), most * 6 / 10)
            var edges: [(at: (slope: Int, x: Int), edge: SheetEdge)] = []
            for at in sums.indices.filter({ sums[$0] * sign >= enough }).sorted(by: {
                sums[$0] * sign > sums[$1] * sign
            })
            where edges.count < 6 {
                let (index, x) = at.quotientAndRemainder(dividingBy: row)
                if edges.contains(where: { abs($0.at.slope - index) <= 8 && abs($0.at.x - x) <= 4 }) { continue }
                let edge = SheetEdge(
                    middleX: Double(x), slope: slopes[index], hits: Int(sums[at] * sign), middleY: Double(height) / 2)
                edges.append(((index, x), edge))
            }
            return edges.map(\.edge)
        }
        return (clearest(1), clearest(-1))
    }

    /// The end of a sheet in the transposed grid: the outermost clear edge beyond which the sides are not visible.
    /// Edges of shadows and folds may be as clear, but the sides continue beyond them.
    ///
    /// - Parameters:
    ///   - sign: 1 for the upper end, where it gets brighter downwards, and -1 for the lower end.
    ///   - sides: the steps of the grid in which the sheet's sides were found.
    func end(of sheet: SheetEdges, sign: Int, sides: LightSteps) -> SheetEdge? {
        // The rows of this grid are the columns of the sheet's grid.
        // The ends are about perpendicular to the sides.
        let expectedSlope = -(sheet.left.slope + sheet.right.slope) / 2
        let middle = Double(height) / 2
        var visibleEdges: [SheetEdge] = []
        for slope in Swift.stride(from: expectedSlope - 0.12, through: expectedSlope + 0.12, by: 0.03) {
            for place in 0...width {
                let first = max(0, Int(sheet.left.x(at: Double(place))) + 2)
                let last = min(height, Int(sheet.right.x(at: Double(place))) - 1)
                guard last - first >= 8 else { continue }
                let centre = Double(first + last) / 2
                var edge = SheetEdge(
                    middleX: Double(place) + slope * (middle - centre), slope: slope, hits: 0, middleY: middle)
                for column in first..<last { edge.hits += self.sign(edge.x(at: Double(column) + 0.5), column) * sign }
                if edge.hits * 10 >= (last - first) * 6 { visibleEdges.append(edge) }
            }
        }
        visibleEdges = visibleEdges.filter { edge in
            let centre = sheet.centre(at: edge.middleX)
            return sides.hasEnded(sheet, beyond: Int(edge.x(at: centre)), sign: sign)
        }
        let most = visibleEdges.map(\.hits).max() ?? 0
        return visibleEdges.filter { $0.hits * 10 >= most * 8 }.min { one, other in
            (one.middleX - other.middleX) * Double(sign) < 0
        }
    }

    /// Whether the sides of a sheet are hardly visible above (`sign` 1) or below (`sign` -1) a row.
    private func hasEnded(_ sheet: SheetEdges, beyond row: Int, sign: Int) -> Bool {
        let rows = sign > 0 ? 0..<max(0, min(height, row - 4)) : min(height, max(0, row + 4))..<height
        guard rows.count >= 6 else { return true }
        let hits = rows.reduce(0) { sum, y in
            sum + self.sign(sheet.left.x(at: Double(y) + 0.5), y) - self.sign(sheet.right.x(at: Double(y) + 0.5), y)
        }
        return hits < rows.count
    }
}
