/// The largest picture that is decoded, and the size to which large pictures are reduced.
enum PictureLimits {
    /// Maximum number of pixels.
    static let pixels = 64_000_000
    /// Maximum width and height in pixels.
    static let side = 16_384
    /// Maximum ratio of the longer side to the shorter side.
    static let aspect = 60
    /// The number of pixels to which larger pictures are reduced. More do not improve reading: a height of 4,000 pixels
    /// has room for more than 100 lines of 30 pixels.
    static let wantedPixels = 16_000_000

    /// Whether a picture of this size in pixels may be decoded.
    static func allow(width: Int, height: Int) -> Bool {
        guard width > 0, height > 0, width <= side, height <= side else { return false }
        return width * height <= pixels && max(width, height) <= aspect * min(width, height)
    }

    /// The factor by which a picture is reduced while it is decoded: 1, 2 or 4.
    static func reduction(width: Int, height: Int) -> Int {
        var factor = 1
        while factor < 4, width * height / (factor * factor) > wantedPixels { factor *= 2 }
        return factor
    }
}
