import CTesseract
import Recognition

extension Raster {
    /// Cut to the sheet of paper: the largest bright region, when there is one that stands out.
    func croppedToPaper() -> Raster {
        guard let box = paperBox() else { return self }
        return cropped(to: box)
    }

    private func paperBox() -> PixelBox? {
        let small = fitted(to: 400)
        let factor = Float(width) / Float(small.width)
        var threshold: Int32 = 0
        guard pixSplitDistributionFgBg(small.pix, 0.5, 1, &threshold, nil, nil, nil) == 0,
            // 1 = bright.
            let dark = Raster(pixThresholdToBinary(small.pix, threshold)),
            let bright = Raster(pixInvert(nil, dark.pix)),
            // Print breaks the sheet apart; closing joins it again.
            let closed = Raster(pixCloseSafeBrick(nil, bright.pix, 11, 11)),
            let opened = Raster(pixOpenBrick(nil, closed.pix, 9, 9)), let boxes = pixConnCompBB(opened.pix, 4)
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
