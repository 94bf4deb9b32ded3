import Recognition

/// The vertical displacement of printed lines, caused by perspective and curled or rolled paper. It is a smooth surface
/// over the page, fitted to the letters.
///
/// Based on text-line models for curled pages (D. Bloomberg, leptonica's `dewarp`), but with one surface instead of a
/// parabola for each line, because receipts have short lines and few words near their right margin.
struct LineBend {
    /// The middle of the print, in pixels.
    private let middle: (x: Double, y: Double)
    /// Half of the width and half of the height of the print, in pixels.
    private let half: (x: Double, y: Double)
    /// The factors of the terms of the surface.
    private let factors: [Double]
    /// The 95th percentile of the letters' displacements, in pixels.
    private(set) var depth = 0.0

    /// The terms of the surface: powers of x and y. Terms without x are omitted, because they would move whole lines.
    private static let powers = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0)]

    /// - Parameters:
    ///   - letters: The boxes of single letters, or of several letters that touch.
    ///   - capital: The height of capitals in pixels.
    /// - Returns: nil if there are too few letters.
    init?(_ letters: [PixelBox], capital: Int) {
        guard capital >= 6 else { return nil }
        // Drops points, dashes and small letters, whose middles are at other heights of the line.
        let letters = letters.filter {
            $0.height * 10 >= capital * 7 && $0.height * 10 <= capital * 17 && $0.width <= capital * 6
        }
        .sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard letters.count >= 100, let left = letters.first?.x, let right = letters.map(\.maxX).max(),
            let top = letters.map(\.y).min(), let bottom = letters.map(\.maxY).max(), right - left > 8 * capital
        else { return nil }
        middle = (Double(left + right) / 2, Double(top + bottom) / 2)
        half = (Double(right - left) / 2, max(1, Double(bottom - top) / 2))
        var factors = [Double](repeating: 0, count: Self.powers.count)
        // Starts with the nearest neighbours. The surface fitted to them then helps to find neighbours across wider
        // blanks.
        for reach in [capital * 4 / 5, capital * 5 / 2, capital * 8, capital * 40, capital * 40] {
            let bend = LineBend(middle: middle, half: half, factors: factors)
            guard let next = bend.fitted(to: letters, capital: capital, reach: reach) else { return nil }
            factors = next
        }
        self.factors = factors
        let drops = letters.map { abs(drop(x: Double($0.x) + Double($0.width) / 2, y: Double($0.doubleMidY) / 2)) }
        depth = drops.sorted()[letters.count * 19 / 20]
    }

    private init(middle: (x: Double, y: Double), half: (x: Double, y: Double), factors: [Double]) {
        (self.middle, self.half, self.factors) = (middle, half, factors)
    }

    /// The values of the terms at a place.
    private func terms(_ x: Double, _ y: Double) -> [Double] {
        let (u, v) = ((x - middle.x) / half.x, (y - middle.y) / half.y)
        let (us, vs) = ([1, u, u * u, u * u * u, u * u * u * u], [1, v, v * v])
        return Self.powers.map { us[$0.0] * vs[$0.1] }
    }

    /// The number of pixels by which a line is lower at a place than at the middle of the page. Beyond the words, it is
    /// the value at their edge.
    func drop(x: Double, y: Double) -> Double {
        let x = max(middle.x - half.x * 1.05, min(middle.x + half.x * 1.05, x))
        let y = max(middle.y - half.y * 1.05, min(middle.y + half.y * 1.05, y))
        return zip(terms(x, y), factors).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// The surface for a picture of this size turned upside down.
    func upsideDown(width: Int, height: Int) -> LineBend {
        LineBend(
            middle: (Double(width) - middle.x, Double(height) - middle.y), half: half,
            factors: zip(Self.powers, factors).map { ($0.0 + $0.1).isMultiple(of: 2) ? -$1 : $1 })
    }

    /// The factors of the surface fitted to the vertical steps from each letter to the next one in its line. Nil if
    /// there are fewer than 60 steps.
    ///
    /// - Parameter reach: the maximum gap between two letters, in pixels.
    private func fitted(to letters: [PixelBox], capital: Int, reach: Int) -> [Double]? {
        let level = letters.map { letter in
            let (x, y) = (Double(letter.x) + Double(letter.width) / 2, Double(letter.doubleMidY) / 2)
            return (x: x, y: y, flat: y - drop(x: x, y: y))
        }
        var steps: [(factors: [Double], step: Double)] = []
        for (index, letter) in letters.enumerated() {
            // Finds the nearest letter to the right that is level with this one according to the current surface.
            var at = index + 1
            while at < letters.count, letters[at].x - letter.maxX <= reach {
                if letters[at].x - letter.maxX > -capital / 4,
                    abs(level[at].flat - level[index].flat) * 20 < Double(capital * 8)
                {
                    let (from, to) = (level[index], level[at])
                    steps.append((zip(terms(to.x, to.y), terms(from.x, from.y)).map { $0 - $1 }, to.y - from.y))
                    break
                }
                at += 1
            }
        }
        guard steps.count >= 60 else { return nil }
        // Higher powers are damped more and so need more evidence.
        let damping = Self.powers.map { 0.001 * Double(($0.0 + $0.1) * ($0.0 + $0.1)) }
        var factors = self.factors
        for round in 0..<3 {
            var equations = LeastSquares(unknowns: Self.powers.count)
            for step in steps {
                let expected = zip(step.factors, factors).reduce(0) { $0 + $1.0 * $1.1 }
                let deviation = abs(step.step - expected)
                // Reduces the weight of outliers, such as neighbours in other lines and pairs with one ascender.
                let weight = round == 0 ? 1 : 1 / max(1, deviation * 12 / Double(capital))
                equations.add(step.factors, step.step, weight: weight)
            }
            guard let solved = equations.solution(damping: damping) else { return nil }
            factors = solved
        }
        return factors
    }
}
