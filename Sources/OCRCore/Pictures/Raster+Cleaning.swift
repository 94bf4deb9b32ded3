import CTesseract

extension Raster {
    /// The picture normalised and then made black and white by one threshold (N. Otsu, 1979).
    func otsu() -> Raster? {
        Raster(pixOtsuThreshOnBackgroundNorm(pix, nil, 10, 15, 100, 50, 255, 2, 2, 0.1, nil))
    }

    /// The brightness of the darker paper, 0…255: the 10th percentile of the brightness of the paper.
    ///
    /// The brightest pixel within 80 pixels is paper, because no stroke is as wide. Paper has 50 to 80 on photos by
    /// lamplight or in a shadow, and 140 or more on most others.
    func shade() -> Int32 {
        guard let brightest = Raster(pixScaleGrayMinMax(pix, 16, 16, Int32(L_CHOOSE_MAX))),
            let paper = Raster(pixCloseGray(brightest.pix, 5, 5))
        else { return 255 }
        var shade: UInt32 = 0
        return pixGetRankValue(paper.pix, 1, 0.1, &shade) == 0 ? Int32(shade) : 255
    }
}
