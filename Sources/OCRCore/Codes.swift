import CBarcode
import CTesseract
import Recognition

extension Raster {
    /// The QR, DataMatrix and bar codes on a grey picture, at most 20. Boxes are in pixels of the picture.
    package func codes() -> [RecognizedCode] {
        let handle = withBytes { rows, stride in
            barcodes_find(rows, Int32(width), Int32(height), Int32(stride), 20)
        }
        guard let handle = handle ?? nil else { return [] }
        defer { barcodes_free(handle) }
        return (0..<barcodes_count(handle)).map { index in
            let place = barcodes_box(handle, index)
            let left = max(0, min(width - 1, Int(place.left)))
            let top = max(0, min(height - 1, Int(place.top)))
            let box = PixelBox(
                x: left, y: top, width: max(1, min(width, Int(place.right)) - left),
                height: max(1, min(height, Int(place.bottom)) - top))
            return RecognizedCode(
                format: String(cString: barcodes_format(handle, index)),
                text: String(cString: barcodes_text(handle, index)),
                box: box)
        }
    }
}

extension Raster {
    /// The picture enlarged three times and sharpened; nil if there is not enough memory.
    func sharpened() -> Raster? {
        let large = scaled(by: 3)
        return Raster(pixUnsharpMaskingGray(large.pix, 7, 2.5))
    }
}
