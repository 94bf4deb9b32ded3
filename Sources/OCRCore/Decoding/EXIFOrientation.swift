import CTesseract

/// The orientation in a JPEG's EXIF block, 1…8; 1 if it is missing or invalid.
func exifOrientation(jpeg: UnsafeRawBufferPointer) -> Int {
    var at = 2
    while at + 4 <= jpeg.count, jpeg[at] == 0xFF {
        let marker = jpeg[at + 1]
        if marker == 0xFF {
            at += 1
            continue
        }
        // The headers end at the start of scan.
        if marker == 0xDA || marker == 0xD9 { return 1 }
        let length = Int(jpeg[at + 2]) << 8 | Int(jpeg[at + 3])
        guard length >= 2, at + 2 + length <= jpeg.count else { return 1 }
        if marker == 0xE1, length >= 16, jpeg[(at + 4)..<(at + 10)].elementsEqual([0x45, 0x78, 0x69, 0x66, 0, 0]) {
            return tiffOrientation(UnsafeRawBufferPointer(rebasing: jpeg[(at + 10)..<(at + 2 + length)]))
        }
        at += 2 + length
    }
    return 1
}

/// The value of tag 0x0112 in the first directory. Other directories are never followed.
private func tiffOrientation(_ tiff: UnsafeRawBufferPointer) -> Int {
    guard tiff.count >= 8 else { return 1 }
    let isLittleEndian = tiff[0] == 0x49
    /// The 16-bit number at an offset; 0 beyond the end.
    func short(_ offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= tiff.count else { return 0 }
        return isLittleEndian
            ? Int(tiff[offset + 1]) << 8 | Int(tiff[offset]) : Int(tiff[offset]) << 8 | Int(tiff[offset + 1])
    }
    let directory = isLittleEndian ? short(6) << 16 | short(4) : short(4) << 16 | short(6)
    let entries = min(short(directory), 200)
    for entry in 0..<entries {
        let offset = directory + 2 + entry * 12
        if short(offset) == 0x0112 {
            let value = short(offset + 8)
            return (1...8).contains(value) ? value : 1
        }
    }
    return 1
}

extension Raster {
    /// The picture turned and mirrored according to an EXIF orientation.
    func upright(exif orientation: Int) -> Raster {
        switch orientation {
        case 2: mirrored()
        case 3: turned(quarters: 2)
        case 4: mirrored().turned(quarters: 2)
        case 5: mirrored().turned(quarters: 3)
        case 6: Raster(pixRotateOrth(pix, 1), quartersByFile: 1) ?? self
        case 7: mirrored().turned(quarters: 1)
        case 8: Raster(pixRotateOrth(pix, 3), quartersByFile: 3) ?? self
        default: self
        }
    }
}
