import CTesseract

@testable import OCRCore

/// A picture of printed lines in the bitmap font that leptonica carries; capitals are about 28 px high.
func drawnPicture(_ lines: [String]) -> Raster? {
    let height = 56
    guard let page = pixCreate(760, Int32(height * (lines.count + 2)), 8) else { return nil }
    pixSetAllArbitrary(page, 235)
    var font = bmfCreate(nil, 10)
    defer { bmfDestroy(&font) }
    for (index, line) in lines.enumerated() {
        pixSetTextline(page, font, line, 20, 60, Int32(height * (index + 2)), nil, nil)
    }
    return Raster(page)
}
