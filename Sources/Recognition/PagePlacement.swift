/// The places of three corners of the reading picture in the file's upright picture, in millionths of its width and
/// height.
///
/// The reading picture is a part of the file's picture, turned by a small angle. These corners map its coordinates to
/// the file's picture, except for slight bends that the reader flattened. Corners may be outside the picture.
public struct PagePlacement: Codable, Sendable, Equatable {
    /// A place on the file's upright picture, in millionths of its width and height.
    public struct Point: Codable, Sendable, Equatable {
        public var x: Int
        public var y: Int

        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    public var upperLeft: Point
    public var upperRight: Point
    public var lowerLeft: Point

    public init(upperLeft: Point, upperRight: Point, lowerLeft: Point) {
        self.upperLeft = upperLeft
        self.upperRight = upperRight
        self.lowerLeft = lowerLeft
    }

    /// The whole picture.
    public static let whole = PagePlacement(
        upperLeft: Point(x: 0, y: 0), upperRight: Point(x: 1_000_000, y: 0), lowerLeft: Point(x: 0, y: 1_000_000))

    /// The placement of the same reading picture turned upside down.
    public var upsideDown: PagePlacement {
        let lowerRight = Point(
            x: upperRight.x + lowerLeft.x - upperLeft.x, y: upperRight.y + lowerLeft.y - upperLeft.y)
        return PagePlacement(upperLeft: lowerRight, upperRight: lowerLeft, lowerLeft: upperRight)
    }
}
