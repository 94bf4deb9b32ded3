/// Linear least squares with a few unknowns, solved by normal equations. Unknowns that the observations do not
/// determine stay near 0.
struct LeastSquares {
    private let count: Int
    private var matrix: [Double]
    private var right: [Double]

    init(unknowns count: Int) {
        self.count = count
        matrix = [Double](repeating: 0, count: count * count)
        right = [Double](repeating: 0, count: count)
    }

    /// Adds an observation: the sum of unknowns × `factors` is `value`.
    mutating func add(_ factors: [Double], _ value: Double, weight: Double = 1) {
        for row in 0..<count {
            for column in 0..<count { matrix[row * count + column] += weight * factors[row] * factors[column] }
            right[row] += weight * factors[row] * value
        }
    }

    /// The unknowns, found by Gaussian elimination; nil if neither observations nor damping determine them.
    ///
    /// - Parameter damping: for each unknown, the weight of an additional observation that the unknown is 0.
    func solution(damping: [Double]) -> [Double]? {
        var left = matrix
        var values = right
        for index in 0..<count { left[index * count + index] += damping[index] }
        for pivot in 0..<count {
            let best = (pivot..<count).max { abs(left[$0 * count + pivot]) < abs(left[$1 * count + pivot]) } ?? pivot
            guard abs(left[best * count + pivot]) > 1e-9 else { return nil }
            if best != pivot {
                for column in 0..<count { left.swapAt(best * count + column, pivot * count + column) }
                values.swapAt(best, pivot)
            }
            for row in (pivot + 1)..<max(pivot + 1, count) {
                let factor = left[row * count + pivot] / left[pivot * count + pivot]
                for column in pivot..<count { left[row * count + column] -= factor * left[pivot * count + column] }
                values[row] -= factor * values[pivot]
            }
        }
        for row in (0..<count).reversed() {
            for column in (row + 1)..<max(row + 1, count) { values[row] -= left[row * count + column] * values[column] }
            values[row] /= left[row * count + row]
        }
        return values
    }
}
