import CImage

/// Decodes a JPEG to a grey, upright picture. Very large pictures are reduced to a half or a quarter of their size.
func decodeJPEG(_ bytes: UnsafeRawBufferPointer) throws(ReadingFailure) -> Raster {
    guard let decoder = tjInitDecompress() else { throw .engine }
    defer { tjDestroy(decoder) }
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colours: Int32 = 0
    // A file that ends before its frame header has no size.
    guard tjDecompressHeader3(decoder, start, UInt(bytes.count), &width, &height, &subsampling, &colours) == 0,
        width > 0, height > 0
    else { throw .damaged }
    guard PictureLimits.allow(width: Int(width), height: Int(height)) else { throw .tooLarge }
    let denominator = PictureLimits.reduction(width: Int(width), height: Int(height))
    let smallWidth = (Int(width) + denominator - 1) / denominator
    let smallHeight = (Int(height) + denominator - 1) / denominator
    let isCMYK = colours == Int32(TJCS_CMYK.rawValue) || colours == Int32(TJCS_YCCK.rawValue)
    let flags = Int32(TJFLAG_LIMITSCANS)
    var outcome: Int32 = -1
    let picture = Raster(width: smallWidth, height: smallHeight) { rows, stride in
        if !isCMYK {
            outcome = tjDecompress2(
                decoder, start, UInt(bytes.count), rows, Int32(smallWidth), Int32(stride), Int32(smallHeight),
                Int32(TJPF_GRAY.rawValue), flags)
            return true
        }
        var inks = [UInt8](repeating: 0, count: smallWidth * smallHeight * 4)
        outcome = tjDecompress2(
            decoder, start, UInt(bytes.count), &inks, Int32(smallWidth), 0, Int32(smallHeight),
            Int32(TJPF_CMYK.rawValue), flags)
        for y in 0..<smallHeight {
            for x in 0..<smallWidth {
                let ink = (y * smallWidth + x) * 4
                // Adobe writes CMYK inverted: 255 means no ink. The green channel is used as brightness.
                rows[y * stride + x] = UInt8(Int(inks[ink + 1]) * Int(inks[ink + 3]) / 255)
            }
        }
        return true
    }
    if outcome != 0 {
        // A truncated picture is refused, because it shows only a part of the receipt. Stray bytes between segments are
        // harmless.
        let isHarmless =
            tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
            && String(cString: tjGetErrorStr2(decoder)).contains("extraneous bytes")
        if !isHarmless { throw .damaged }
    }
    guard let picture else { throw .memory }
    return picture.upright(exif: exifOrientation(jpeg: bytes))
}
