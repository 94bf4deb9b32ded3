import CTesseract
import Recognition

extension Raster {
    /// A copy in which the boxes, slightly enlarged, are black, so that nothing below them can be recovered. Boxes
    /// outside the picture are skipped. Nil if there is not enough memory.
    package func covered(_ boxes: [PixelBox]) -> Raster? {
        guard let copy = Raster(pixCopy(nil, pix)) else { return nil }
        for box in boxes {
            let margin = max(2, box.height / 8)
            let left = max(0, box.x - margin)
            let top = max(0, box.y - margin)
            let (right, bottom) = (min(width, box.maxX + margin), min(height, box.maxY + margin))
            guard left < right, top < bottom else { continue }
            guard let place = boxCreate(Int32(left), Int32(top), Int32(right - left), Int32(bottom - top)) else {
                return nil
            }
            var owned: UnsafeMutablePointer<Box>? = place
            // 0 is black in grey pictures.
            pixClearInRect(copy.pix, place)
            boxDestroy(&owned)
        }
        return copy
    }
}
