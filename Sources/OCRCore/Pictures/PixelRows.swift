import Recognition

/// A copy of the pixels of a grey picture.
struct PixelRows {
    let width: Int
    let height: Int
    private let stride: Int
    private let bytes: [UInt8]

    init?(_ picture: Raster) {
        width = picture.width
        height = picture.height
        let rows = picture.height
        let copied = picture.withBytes { pixels, stride in
            (stride, Array(UnsafeBufferPointer(start: pixels, count: stride * rows)))
        }
        guard let copied else { return nil }
        (stride, bytes) = copied
    }

    private init(width: Int, height: Int, stride: Int, bytes: [UInt8]) {
        (self.width, self.height, self.stride, self.bytes) = (width, height, stride, bytes)
    }

    func upsideDown() -> PixelRows {
        var turned: [UInt8] = []
        turned.reserveCapacity(width * height)
        for y in (0..<height).reversed() { turned += bytes[(y * stride)..<(y * stride + width)].reversed() }
        return PixelRows(width: width, height: height, stride: width, bytes: turned)
    }

    /// The pixels as a picture; nil if there is not enough memory.
    var picture: Raster? {
        Raster(width: width, height: height) { rows, targetStride in
            for y in 0..<height { for x in 0..<width { rows[y * targetStride + x] = bytes[y * stride + x] } }
            return true
        }
    }

    /// The brightness of a pixel, 0…255.
    subscript(x: Int, y: Int) -> UInt8 { bytes[y * stride + x] }
}
