import CTesseract
import Glibc
import Recognition

extension Raster {
    /// The part inside `box` of the picture turned by `angle`, with its lines made level. Nil if they are level already
    /// or the bend is implausible. Turning and flattening are one step, because each step blurs a little.
    ///
    /// - Parameters:
    ///   - size: The size of the turned picture.
    ///   - bend: The bend of the lines inside `box`.
    ///   - capital: The height of capitals in pixels.
    func flattened(
        _ box: PixelBox, angle: Float, size: (width: Int, height: Int), bend: LineBend, capital: Int
    ) -> Raster? {
        // A bend of less than half a capital is not flattened here. It is followed when a line is cut out, which keeps
        // the line sharp. A bend of more than a quarter of the page is an error.
        guard capital >= 6, bend.depth * 2 > Double(capital), bend.depth * 4 < Double(min(box.width, box.height))
        else { return nil }
        let room = Int(bend.depth * 3 / 2)
        let (sine, cosine) = abs(angle) > 0.001 ? (Double(sin(angle)), Double(cos(angle))) : (0, 1)
        return warped(width: box.width, height: box.height + 2 * room) { x, y in
            let x = Double(x)
            var y = Double(y - room)
            // `drop` expects a place in the bent picture. The inner call estimates that place.
            y += bend.drop(x: x, y: y + bend.drop(x: x, y: y))
            // Pictures are turned about their middles.
            let (fromX, fromY) = (
                x + Double(box.x) - Double(size.width) / 2, y + Double(box.y) - Double(size.height) / 2
            )
            return (
                Float(fromX * cosine + fromY * sine + Double(width) / 2),
                Float(fromY * cosine - fromX * sine + Double(height) / 2)
            )
        }
    }

    /// A picture whose pixels come from the places in this picture that `source` returns. `source` is called for every
    /// 16th row and column; the places between them are interpolated. Places outside this picture have the value at its
    /// edge.
    private func warped(width: Int, height: Int, source: (Int, Int) -> (x: Float, y: Float)) -> Raster? {
        let step = 16
        let columns = width / step + 2
        let grid = (0..<(height / step + 2)).flatMap { row in (0..<columns).map { source($0 * step, row * step) } }
        let (lastX, lastY) = (self.width - 2, self.height - 2)
        guard lastX > 0, lastY > 0 else { return nil }
        let result = withBytes { pixels, pixelStride in
            Raster(width: width, height: height) { target, stride in
                for y in 0..<height {
                    let row = target + y * stride
                    let down = Float(y % step) / Float(step)
                    let above = y / step * columns
                    for cell in 0..<(columns - 1) where cell * step < width {
                        // The sources of the corners of a cell of the grid: two above and two below.
                        let (a, b) = (grid[above + cell], grid[above + cell + 1])
                        let (c, d) = (grid[above + columns + cell], grid[above + columns + cell + 1])
                        var from = (x: a.x + (c.x - a.x) * down, y: a.y + (c.y - a.y) * down)
                        let next = (x: b.x + (d.x - b.x) * down, y: b.y + (d.y - b.y) * down)
                        let move = (x: (next.x - from.x) / Float(step), y: (next.y - from.y) / Float(step))
                        for x in (cell * step)..<min(width, (cell + 1) * step) {
                            row[x] = Self.sample(pixels, pixelStride, from.x, from.y, lastX, lastY)
                            from.x += move.x
                            from.y += move.y
                        }
                    }
                }
                return true
            }
        }
        return result ?? nil
    }

    /// The value at a place, interpolated between four pixels in steps of 1/64 pixel.
    @inline(__always)
    private static func sample(
        _ source: UnsafePointer<UInt8>, _ stride: Int, _ x: Float, _ y: Float, _ lastX: Int, _ lastY: Int
    ) -> UInt8 {
        let fixedX = max(0, min(lastX << 6, Int(x * 64)))
        let fixedY = max(0, min(lastY << 6, Int(y * 64)))
        let (shareX, shareY) = (fixedX & 63, fixedY & 63)
        let at = source + (fixedY >> 6) * stride + (fixedX >> 6)
        let upper = Int(at[0]) * (64 - shareX) + Int(at[1]) * shareX
        let lower = Int(at[stride]) * (64 - shareX) + Int(at[stride + 1]) * shareX
        return UInt8(truncatingIfNeeded: (upper * (64 - shareY) + lower * shareY + 2_048) >> 12)
    }
}
