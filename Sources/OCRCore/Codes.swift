import CBarcode
import CTesseract
import Recognition

extension Raster {
    /// QR, DataMatrix and bar codes on a grey picture, boxes in its pixels; at most 20.
    package func codes() -> [RecognizedCode] {
        let capacity = 20
        let found = UnsafeMutablePointer<barcode>.allocate(capacity: capacity)
        defer { found.deallocate() }
        let count = withBytes { rows, stride in
            Int(barcode_find(rows, Int32(width), Int32(height), Int32(stride), found, Int32(capacity)))
        }
        return (0..<(count ?? 0)).compactMap { index in
            let code = found[index]
            let text = string(of: code.text)
            let left = max(0, min(width - 1, Int(code.left)))
            let top = max(0, min(height - 1, Int(code.top)))
            let box = PixelBox(
                x: left, y: top, width: max(1, min(width, Int(code.right)) - left),
                height: max(1, min(height, Int(code.bottom)) - top))
            return RecognizedCode(format: string(of: code.format), text: text, box: box)
        }
    }
}

extension Raster {
    /// Three times as large with its edges raised; nil when memory is short.
    func sharpened() -> Raster? {
        let large = scaled(by: 3)
        return Raster(pixUnsharpMaskingGray(large.pix, 7, 2.5))
    }
}

/// The text in a C array of characters, up to its zero.
private func string<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
