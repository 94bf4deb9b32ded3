import CTesseract
import Recognition

extension Raster {
    /// Cut to the sheet of paper: the largest bright region, when there is one that stands out and holds the print.
    ///
    /// Twice, because a scanner's lid lies around the sheet and a black edge around the lid.
    func croppedToPaper() -> Raster {
        var picture = self
        for _ in 0..<2 {
            guard let box = picture.paperBox(), picture.holdsThePrint(box) else { break }
            picture = picture.cropped(to: box)
        }
        return picture
    }

    /// Whether hardly anything that looks like letters lies outside the box: a shadow's edge is no paper's edge.
    private func holdsThePrint(_ box: PixelBox) -> Bool {
        let small = fitted(to: 1400)
        let factor = Float(small.width) / Float(width)
        guard let ink = small.inkForMeasuring(), let boxes = pixConnCompBB(ink.pix, 8) else { return false }
        var owned: UnsafeMutablePointer<Boxa>? = boxes
        defer { boxaDestroy(&owned) }
        var inside = 0
        var outside = 0
        for index in 0..<boxaGetCount(boxes) {
            var (x, y, w, h): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            guard boxaGetBoxGeometry(boxes, index, &x, &y, &w, &h) == 0, (6...60).contains(max(w, h)), min(w, h) >= 3
            else { continue }
            let (middleX, middleY) = (Int(Float(x + w / 2) / factor), Int(Float(y + h / 2) / factor))
            let isInside = box.x <= middleX && middleX < box.maxX && box.y <= middleY && middleY < box.maxY
            if isInside { inside += 1 } else { outside += 1 }
        }
        return outside * 12 <= inside
    }

    private func paperBox() -> PixelBox? {
        let small = fitted(to: 400)
        let factor = Float(width) / Float(small.width)
        var threshold: Int32 = 0
        var (darker, brighter): (Int32, Int32) = (0, 0)
        // Closing takes the print away, so that only paper and what it lies on are left.
        guard let bare = Raster(pixCloseGray(small.pix, 11, 11)),
            pixSplitDistributionFgBg(bare.pix, 0.5, 1, &threshold, &darker, &brighter, nil) == 0,
            brighter - darker >= 25,
            let dark = Raster(pixThresholdToBinary(bare.pix, threshold)), let bright = Raster(pixInvert(nil, dark.pix)),
            // What hangs on by a thread is another thing.
            let opened = Raster(pixOpenBrick(nil, bright.pix, 9, 9)), let boxes = pixConnCompBB(opened.pix, 4)
        else { return nil }
        var owned: UnsafeMutablePointer<Boxa>? = boxes
        defer { boxaDestroy(&owned) }
        var best: PixelBox?
        for index in 0..<boxaGetCount(boxes) {
            var (x, y, w, h): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
            guard boxaGetBoxGeometry(boxes, index, &x, &y, &w, &h) == 0 else { continue }
            if w * h > (best.map { Int32($0.width * $0.height) } ?? 0) {
                best = PixelBox(x: Int(x), y: Int(y), width: Int(w), height: Int(h))
            }
        }
        guard let best, best.width * best.height * 8 > small.width * small.height else { return nil }
        let margin = 2
        func full(_ value: Int) -> Int { Int(Float(value) * factor) }
        let left = max(0, full(best.x - margin))
        let top = max(0, full(best.y - margin))
        return PixelBox(
            x: left, y: top, width: min(width, full(best.maxX + margin)) - left,
            height: min(height, full(best.maxY + margin)) - top)
    }
}
