import Glibc
import Recognition

extension PagePlacement {
    /// The place of a part of a straightened picture on the original picture.
    ///
    /// - Parameters:
    ///   - box: The part, in pixels of the straightened picture.
    ///   - straight: The size of the straightened picture.
    ///   - angle: The clockwise angle in radians by which the picture was turned about its middle.
    ///   - unturned: The size before that turn.
    ///   - quarters: The clockwise quarter turns made before that turn.
    init(
        _ box: PixelBox, of straight: (width: Int, height: Int), angle: Float, in unturned: (width: Int, height: Int),
        quarters: Int
    ) {
        // Small angles are ignored.
        let angle = abs(angle) > 0.001 ? Double(angle) : 0
        func point(_ x: Int, _ y: Int) -> Point {
            let (dx, dy) = (Double(x) - Double(straight.width) / 2, Double(y) - Double(straight.height) / 2)
            let across = (dx * cos(angle) + dy * sin(angle)) / Double(max(1, unturned.width)) + 0.5
            let down = (dy * cos(angle) - dx * sin(angle)) / Double(max(1, unturned.height)) + 0.5
            let (u, v) =
                switch quarters & 3 {
                case 1: (down, 1 - across)
                case 2: (1 - across, 1 - down)
                case 3: (1 - down, across)
                default: (across, down)
                }
            return Point(x: Int((u * 1_000_000).rounded()), y: Int((v * 1_000_000).rounded()))
        }
        self.init(
            upperLeft: point(box.x, box.y), upperRight: point(box.maxX, box.y), lowerLeft: point(box.x, box.maxY))
    }
}
