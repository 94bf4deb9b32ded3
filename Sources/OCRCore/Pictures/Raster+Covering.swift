import CTesseract
import Recognition

extension Raster {
    /// A copy in which the boxes, slightly enlarged, are black, so that nothing below them can be recovered. Nil if
    /// there is not enough memory.
    package func covered(_ boxes: [PixelBox]) -> Raster? {
        guard let copy = Raster(pixCopy(nil, pix)) else { return nil }
        for box in boxes {
            let margin = max(2, box.height / 8)
            let left = max(0, box.x - margin)
            let top = max(0, box.y - margin)
            guard
                let place = boxCreate(
                    Int32(left), Int32(top), Int32(min(width, box.maxX + margin) - left),
                    Int32(min(height, box.maxY + margin) - top))
            else { continue }
            var owned: UnsafeMutablePointer<Box>? = place
            // 0 is black in grey pictures.
            pixClearInRect(copy.pix, place)
            boxDestroy(&owned)
        }
        return copy
    }
}
