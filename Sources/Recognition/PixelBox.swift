/// A rectangle in pixels of the reading picture; the origin is at the upper left.
public struct PixelBox: Codable, Sendable, Equatable, Hashable {
    /// Distance from the left edge.
    public var x: Int
    /// Distance from the upper edge.
    public var y: Int
    /// The width in pixels; not negative.
    public var width: Int
    /// The height in pixels; not negative.
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The first column to the right of the box.
    public var maxX: Int { x + width }
    /// The first row below the box.
    public var maxY: Int { y + height }
    /// Twice the vertical centre in pixels, which is a whole number.
    public var doubleMidY: Int { 2 * y + height }

    /// Whether the boxes share a pixel.
    public func overlaps(_ other: PixelBox) -> Bool {
        x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
    }

    /// The smallest box that contains both boxes.
    public func union(_ other: PixelBox) -> PixelBox {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelBox(
            x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }
}

/// A place on a page that is painted black before the pictures of the page are sent.
public struct CoveredPlace: Codable, Sendable, Equatable {
    /// The index of the page over all files of the document, from 0.
    public var page: Int
    /// The place in pixels of the page's reading picture.
    public var box: PixelBox

    public init(page: Int, box: PixelBox) {
        self.page = page
        self.box = box
    }
}
