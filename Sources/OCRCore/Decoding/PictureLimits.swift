/// The sizes beyond which no picture is decoded, and how much of a large one is needed.
enum PictureLimits {
    static let pixels = 64_000_000
    static let side = 16_384
    static let aspect = 60
    /// More pixels than this tell the engine nothing: 4000 px of receipt at 30 px a line are over 100 lines.
    static let wantedPixels = 16_000_000

    static func allow(width: Int, height: Int) -> Bool {
        guard width > 0, height > 0, width <= side, height <= side else { return false }
        return width * height <= pixels && max(width, height) <= aspect * min(width, height)
    }

    /// 1, 2 or 4: by how much a picture is made smaller while it is decoded.
    static func reduction(width: Int, height: Int) -> Int {
        var factor = 1
        while factor < 4, width * height / (factor * factor) > wantedPixels { factor *= 2 }
        return factor
    }
}
