import CTesseract

extension Raster {
    /// The picture made black and white by a threshold that follows the surroundings, for shadows and pale thermal
    /// print.
    ///
    /// The threshold is that of J. Sauvola and M. Pietikäinen (2000): `mean × (1 − factor × (1 − deviation / 128))`
    /// over the window. The picture is mirrored at its edges. The result is the same as that of Leptonica's
    /// `pixSauvolaBinarize`, with fewer than half of the instructions. Sums are updated as the window moves. The
    /// deviation is computed only for pixels darker than the mean.
    ///
    /// - Parameter halfWindow: 1…60; the side of the window is 2 × `halfWindow` + 1 pixels.
    func sauvola(halfWindow: Int, factor: Float = 0.3) -> Raster? {
        let (width, height) = (self.width, self.height)
        guard (1...60).contains(halfWindow), width > 2 * halfWindow + 2, height > 2 * halfWindow + 2,
            let made = pixCreate(Int32(width), Int32(height), 1), let words = pixGetData(made),
            let result = Raster(made)
        else { return nil }
        let wordsPerLine = Int(pixGetWpl(made))
        let isDone = withBytes { pixels, stride in
            var window = SauvolaWindow(pixels, stride: stride, width: width, height: height, half: halfWindow)
            for y in 0..<height {
                window.move(to: y)
                window.threshold(factor: factor, into: words + y * wordsPerLine)
            }
            return true
        }
        return isDone == nil ? nil : result
    }
}

/// The sums of brightness and of its squares in the window around a row, for each column.
private struct SauvolaWindow {
    private let pixels: UnsafePointer<UInt8>
    private let stride: Int
    private let width: Int
    private let height: Int
    /// The number of pixels of the window on each side of the middle pixel.
    private let half: Int
    /// The sums for the picture's columns and for `half` mirrored columns before and after them.
    private var sums: [UInt32]
    private var squares: [UInt32]
    private var row = -1

    init(_ pixels: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, half: Int) {
        (self.pixels, self.stride, self.width, self.height, self.half) = (pixels, stride, width, height, half)
        sums = [UInt32](repeating: 0, count: width + 2 * half + 1)
        squares = sums
    }

    /// Moves the window to the next row. The first is 0.
    mutating func move(to y: Int) {
        if y == 0 {
            for y in -half...half { add(y, leaving: nil) }
        } else {
            add(y + half, leaving: y - half - 1)
        }
        row = y
        for beyond in 0..<half {
            let (before, after) = (half - 1 - beyond, half + width + beyond)
            sums[before] = sums[half + beyond]
            squares[before] = squares[half + beyond]
            sums[after] = sums[half + width - 1 - beyond]
            squares[after] = squares[half + width - 1 - beyond]
        }
    }

    /// The first byte of a row, or of its mirror image beyond an edge.
    private func line(_ y: Int) -> UnsafePointer<UInt8> {
        pixels + (y < 0 ? -1 - y : y >= height ? 2 * height - 1 - y : y) * stride
    }

    /// Adds the pixels of the row `y` to the sums, and subtracts those of the row `leaving`.
    private mutating func add(_ y: Int, leaving: Int?) {
        let entering = line(y)
        let leaving = leaving.map(line)
        sums.withUnsafeMutableBufferPointer { sums in
            squares.withUnsafeMutableBufferPointer { squares in
                for x in 0..<width {
                    let enteringValue = UInt32(entering[x])
                    sums[half + x] &+= enteringValue
                    squares[half + x] &+= enteringValue &* enteringValue
                }
                guard let leaving else { return }
                for x in 0..<width {
                    let leavingValue = UInt32(leaving[x])
                    sums[half + x] &-= leavingValue
                    squares[half + x] &-= leavingValue &* leavingValue
                }
            }
        }
    }

    /// Writes a bit for each pixel of the row: 1 if the pixel is darker than its threshold. The leftmost pixel is in
    /// the highest bit.
    func threshold(factor: Float, into words: UnsafeMutablePointer<UInt32>) {
        let side = 2 * half + 1
        let area = UInt32(side * side)
        let meanFactor = 1 / (Float(side) * Float(side))
        let squareFactor = 1 / (Double(side) * Double(side))
        let factor = Double(factor)
        let line = pixels + row * stride
        sums.withUnsafeBufferPointer { sums in
            squares.withUnsafeBufferPointer { squares in
                var (sum, square) = (UInt32(0), UInt32(0))
                for x in 0..<side {
                    sum &+= sums[x]
                    square &+= squares[x]
                }
                var word = UInt32(0)
                for x in 0..<width {
                    // The threshold is never above the mean.
                    if UInt32(line[x]) &* area < sum {
                        let mean = Int32(meanFactor * Float(sum))
                        let variance = Int32(squareFactor * Double(square) + 0.5) &- mean &* mean
                        let deviation = Double(Float(variance).squareRoot())
                        let threshold = Int32(Double(mean) * (1 - factor * (1 - deviation / 128)))
                        if Int32(line[x]) < threshold { word |= 1 << UInt32(31 - x & 31) }
                    }
                    if x & 31 == 31 || x == width - 1 {
                        words[x >> 5] = word
                        word = 0
                    }
                    sum = sum &+ sums[x + side] &- sums[x]
                    square = square &+ squares[x + side] &- squares[x]
                }
            }
        }
    }
}
