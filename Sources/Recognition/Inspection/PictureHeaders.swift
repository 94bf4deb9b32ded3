/// Size of a JPEG from the first SOF marker before the scan, within at most 2,000 segments.
func jpegSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    var at = 2
    for _ in 0..<2000 {
        guard bytes[at] == 0xFF, let marker = bytes[at + 1] else { return nil }
        switch marker {
        case 0xFF:
            // Fill byte (ITU T.81 B.1.1.2).
            at += 1
        case 0x01, 0xD0...0xD7:
            at += 2
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard let height = bytes.bigEndian(at + 5, 2), let width = bytes.bigEndian(at + 7, 2) else { return nil }
            return (width, height)
        case 0xD8, 0xD9, 0xDA:
            return nil
        default:
            guard let length = bytes.bigEndian(at + 2, 2), length >= 2 else { return nil }
            at += 2 + length
        }
    }
    return nil
}

/// Size of a PNG from its first chunk, which must be IHDR and complete: 33 bytes with the signature.
func pngSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    guard bytes.bigEndian(8, 4) == 13, bytes.has("IHDR", at: 12), bytes.count >= 33, let width = bytes.bigEndian(16, 4),
        let height = bytes.bigEndian(20, 4)
    else { return nil }
    return (width, height)
}

/// Size of a WebP: of its canvas or its only picture, lossy or lossless.
func webpSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    if bytes.has("VP8X", at: 12) {
        guard let width = bytes.littleEndian(24, 3), let height = bytes.littleEndian(27, 3) else { return nil }
        return (width + 1, height + 1)
    }
    if bytes.has("VP8L", at: 12) {
        guard bytes[20] == 0x2F, let bits = bytes.littleEndian(21, 4) else { return nil }
        return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    guard bytes.has("VP8 ", at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23), let width = bytes.littleEndian(26, 2),
        let height = bytes.littleEndian(28, 2)
    else { return nil }
    return (width & 0x3FFF, height & 0x3FFF)
}

extension HeaderBytes {
    /// Whether the brands in the `ftyp` box include a still picture coded as HEVC.
    var hasHEICBrand: Bool {
        guard let length = bigEndian(0, 4), length >= 16, length <= 512 else { return false }
        let brands: [StaticString] = ["heic", "heix", "heim", "heis"]
        return stride(from: 8, to: min(length, count) - 3, by: 4).contains { at in
            // The minor version follows the major brand.
            at != 12 && brands.contains { has($0, at: at) }
        }
    }
}

/// The largest size (`ispe`) in the properties of a HEIC file. A file can also contain the sizes of tiles, which are
/// not larger than the whole picture.
///
/// Traverses `meta` → `iprp` → `ipco`, at most 2,000 boxes.
func heicSize(_ bytes: HeaderBytes) -> (width: Int, height: Int)? {
    var boxesLeft = 2000
    /// The content of the first box with this name between two offsets, without its header of 8 bytes.
    func child(_ name: StaticString, from start: Int, to end: Int) -> (start: Int, end: Int)? {
        var at = start
        while at + 8 <= end, boxesLeft > 0 {
            boxesLeft -= 1
            guard let length = bytes.bigEndian(at, 4), length >= 8, length <= end - at else { return nil }
            if bytes.has(name, at: at + 4) { return (at + 8, at + length) }
            at += length
        }
        return nil
    }
    // `meta` begins with version and flags.
    guard let meta = child("meta", from: 0, to: bytes.count),
        let properties = child("iprp", from: meta.start + 4, to: meta.end),
        let container = child("ipco", from: properties.start, to: properties.end)
    else { return nil }
    // Both sides have 32 bits, so their product needs an unsigned 64-bit integer.
    func area(_ width: Int, _ height: Int) -> UInt { UInt(width) * UInt(height) }
    var largest: (width: Int, height: Int)?
    var at = container.start
    while let found = child("ispe", from: at, to: container.end) {
        guard let width = bytes.bigEndian(found.start + 4, 4), let height = bytes.bigEndian(found.start + 8, 4) else {
            return nil
        }
        if area(width, height) >= (largest.map { area($0.width, $0.height) } ?? 0) { largest = (width, height) }
        at = found.end
    }
    return largest
}
