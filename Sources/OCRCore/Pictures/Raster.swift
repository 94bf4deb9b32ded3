import CTesseract

/// A picture in memory, grey (8 bits) or black and white (1 bit, 1 = ink). Immutable.
package final class Raster {
    let pix: UnsafeMutablePointer<Pix>
    /// The clockwise quarter turns, 1 or 3, applied because of the file's metadata; 0 if there were none. A negative
    /// has the value of the original picture; other derived pictures have 0.
    let quartersByFile: Int

    /// Takes ownership of the picture. Returns nil for nil, so that results of the library can be passed directly.
    init?(_ pix: UnsafeMutablePointer<Pix>?, quartersByFile: Int = 0) {
        guard let pix else { return nil }
        self.pix = pix
        self.quartersByFile = quartersByFile
    }

    deinit {
        var owned: UnsafeMutablePointer<Pix>? = pix
        pixDestroy(&owned)
    }

    /// Creates a grey picture whose pixels `fill` writes. `fill` gets the first byte and the stride in bytes, and
    /// returns false to give up. Returns nil if `fill` returns false or if there is not enough memory.
    convenience init?(width: Int, height: Int, fill: (UnsafeMutablePointer<UInt8>, Int) -> Bool) {
        guard width > 0, height > 0, let made = pixCreateNoInit(Int32(width), Int32(height), 8) else { return nil }
        let stride = Int(pixGetWpl(made)) * 4
        let filled = pixGetData(made).withMemoryRebound(to: UInt8.self, capacity: stride * height) { fill($0, stride) }
        // The library stores pixels in 32-bit words, with the leftmost pixel in the highest byte.
        pixEndianByteSwap(made)
        self.init(made)
        if !filled { return nil }
    }

    /// The width in pixels, at least 1.
    package var width: Int { Int(pix.pointee.w) }
    /// The height in pixels, at least 1.
    package var height: Int { Int(pix.pointee.h) }
    var longSide: Int { max(width, height) }

    /// Calls `body` with the first byte and the stride in bytes of a grey picture's rows. Nil if there is not enough
    /// memory.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result? {
        guard let swapped = Raster(pixEndianByteSwapNew(pix)) else { return nil }
        let stride = Int(pixGetWpl(swapped.pix)) * 4
        return pixGetData(swapped.pix).withMemoryRebound(to: UInt8.self, capacity: stride * height) {
            body($0, stride)
        }
    }
}
