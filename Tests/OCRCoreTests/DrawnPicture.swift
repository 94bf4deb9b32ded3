import CTesseract
import Recognition

@testable import OCRCore

/// A picture of printed lines in leptonica's bitmap font. Capitals are about 28 px high.
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

/// A picture of `name` with `lines` directly below it. The letters of the name are `factor` times as large.
func drawnPicture(_ lines: [String], below name: String, times factor: Float) -> Raster? {
    guard let page = drawnPicture(lines), let line = drawnPicture([name]) else { return nil }
    let large = line.cropped(to: PixelBox(x: 40, y: 80, width: 300, height: 48)).scaled(by: factor)
    guard let whole = pixCreate(Int32(page.width), Int32(page.height + large.height), 8) else { return nil }
    pixSetAllArbitrary(whole, 235)
    pixRasterop(whole, 0, 0, Int32(large.width), Int32(large.height), PIX_SRC, large.pix, 0, 0)
    pixRasterop(whole, 0, Int32(large.height), Int32(page.width), Int32(page.height), PIX_SRC, page.pix, 0, 60)
    return Raster(whole)
}

/// A picture of a page like a newspaper, with `lines` in the middle. Its columns have `count` lines of `text`, and its
/// paper is darker than the paper of `lines`.
func drawnPicture(_ lines: [String], amongLines count: Int, of text: String) -> Raster? {
    guard let page = drawnPicture(lines),
        let column = drawnPicture(Array(repeating: text, count: count))?.scaled(by: 0.5),
        let whole = pixCreate(Int32(column.width * 5), Int32(column.height), 8)
    else { return nil }
    pixSetAllArbitrary(whole, 235)
    for place in 0..<5 {
        let (x, y) = (Int32(place * column.width), Int32(place % 2 * 12))
        pixRasterop(whole, x, y, Int32(column.width), Int32(column.height), PIX_SRC, column.pix, 0, 0)
    }
    pixMultConstantGray(whole, 0.8)
    let (width, height) = (Int32(page.width), Int32(page.height))
    let (x, y) = ((Int32(column.width * 5) - width) / 2, (Int32(column.height) - height) / 2)
    pixRasterop(whole, x, y, width, height, PIX_SRC, page.pix, 0, 0)
    return Raster(whole)
}
