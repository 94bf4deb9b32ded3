import CTesseract
import Recognition

extension Raster {
    /// Ink as black and white for measuring directions and heights.
    func inkForMeasuring() -> Raster? { otsu() }

    /// 0 or 1 quarter turns that make the lines of print horizontal.
    ///
    /// Letters stand closer to each other than lines do: a short smear along the lines joins far more of them
    /// than one across.
    func quarterTurn() -> Int {
        guard let ink = fitted(to: 1600).inkForMeasuring(), let letters = ink.letters() else { return 0 }
        let gap = Int32(max(3, letters.size * 4 / 10)) | 1
        guard let along = Raster(pixCloseSafeBrick(nil, letters.ink.pix, gap, 1))?.componentCount(),
            let across = Raster(pixCloseSafeBrick(nil, letters.ink.pix, 1, gap))?.componentCount()
        else { return 0 }
        return across < along ? 1 : 0
    }

    /// Only what is as large as letters, and the median of their longer sides in pixels.
    private func letters() -> (ink: Raster, size: Int)? {
        guard
            let large = Raster(
                pixSelectBySize(pix, 5, 5, 8, Int32(L_SELECT_IF_EITHER), Int32(L_SELECT_IF_GTE), nil)),
            let ink = Raster(
                pixSelectBySize(large.pix, 80, 80, 8, Int32(L_SELECT_IF_BOTH), Int32(L_SELECT_IF_LTE), nil)),
            let boxes = pixConnCompBB(ink.pix, 8)
        else { return nil }
        var owned: UnsafeMutablePointer<Boxa>? = boxes
        defer { boxaDestroy(&owned) }
        var sides: [Int] = []
        for index in 0..<boxaGetCount(boxes) {
            var width: Int32 = 0
            var height: Int32 = 0
            boxaGetBoxGeometry(boxes, index, nil, nil, &width, &height)
            sides.append(Int(max(width, height)))
        }
        guard sides.count >= 20 else { return nil }
        return (ink, sides.sorted()[sides.count / 2])
    }

    private func componentCount() -> Int {
        var count: Int32 = 0
        return pixCountConnComp(pix, 8, &count) == 0 ? Int(count) : 0
    }

    /// The angle in radians by which black-and-white print has to be turned clockwise to run straight; nil when unsure.
    func skew() -> Float? {
        var degrees: Float = 0
        var confidence: Float = 0
        let reduction: Int32 = width > 1000 ? 2 : 1
        guard
            pixFindSkewSweepAndSearch(pix, &degrees, &confidence, reduction, 1, 8, 1, 0.01) == 0,
            confidence > 2
        else { return nil }
        return degrees * .pi / 180
    }

    /// The height of capitals and digits of black-and-white print in pixels.
    func capitalHeight() -> Float? {
        guard let boxes = pixConnCompBB(pix, 8) else { return nil }
        var owned: UnsafeMutablePointer<Boxa>? = boxes
        defer { boxaDestroy(&owned) }
        var histogram = [Int](repeating: 0, count: 121)
        var count = 0
        for index in 0..<boxaGetCount(boxes) {
            var width: Int32 = 0
            var height: Int32 = 0
            guard boxaGetBoxGeometry(boxes, index, nil, nil, &width, &height) == 0 else { continue }
            // Letters are about as high as wide, or narrower.
            if height >= 7, height <= 120, width * 5 >= height, width * 2 <= height * 3 {
                histogram[Int(height)] += 1
                count += 1
            }
        }
        guard count >= 30 else { return nil }
        // Two thirds of what is printed on a receipt are capitals and digits; the rest is lower.
        var seen = 0
        for height in 7...120 {
            seen += histogram[height]
            if seen * 100 >= count * 65 { return Float(height) }
        }
        return nil
    }
}
