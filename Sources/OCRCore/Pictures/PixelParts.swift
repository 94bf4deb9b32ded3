import Recognition

/// Splits a small area of marked pixels into connected parts.
struct PixelParts {
    /// The neighbours that count as connected: the four beside, above and below, or all eight.
    enum Connectivity { case four, eight }

    struct Part {
        var box: PixelBox
        /// The pixels, each as row × `stride` + column.
        var pixels: [Int]

        var middleX: Int { pixels.reduce(0) { $0 + $1 % PixelParts.stride } / pixels.count }
        var middleY: Int { pixels.reduce(0) { $0 + $1 / PixelParts.stride } / pixels.count }
    }

    /// The factor of the row in `Part.pixels`; larger than the number of columns of any area.
    static let stride = 1 << 16

    private let width: Int
    private let height: Int
    private var marked: [Bool]

    init(width: Int, height: Int, isMarked: (Int, Int) -> Bool) {
        self.width = width
        self.height = height
        marked = []
        marked.reserveCapacity(width * height)
        for y in 0..<height { for x in 0..<width { marked.append(isMarked(x, y)) } }
    }

    /// Removes and returns all parts, from top to bottom.
    mutating func removeParts(connectivity: Connectivity) -> [Part] {
        var parts: [Part] = []
        for start in marked.indices where marked[start] { parts.append(removePart(at: start, connectivity)) }
        return parts
    }

    /// Removes and returns the part that contains a marked pixel.
    private mutating func removePart(at start: Int, _ connectivity: Connectivity) -> Part {
        marked[start] = false
        var (left, right, top, bottom) = (start % width, start % width, start / width, start / width)
        var pixels = [top * Self.stride + left]
        var next = 0
        while next < pixels.count {
            let (x, y) = (pixels[next] % Self.stride, pixels[next] / Self.stride)
            next += 1
            (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            for dy in -1...1 {
                for dx in -1...1 where connectivity == .eight || dx == 0 || dy == 0 {
                    let (column, row) = (x + dx, y + dy)
                    guard column >= 0, row >= 0, column < width, row < height, marked[row * width + column] else {
                        continue
                    }
                    marked[row * width + column] = false
                    pixels.append(row * Self.stride + column)
                }
            }
        }
        return Part(
            box: PixelBox(x: left, y: top, width: right + 1 - left, height: bottom + 1 - top), pixels: pixels)
    }
}
