import CTesseract

extension Raster {
    /// Black and white by one threshold for the whole picture after normalising.
    func otsu() -> Raster? {
        Raster(pixOtsuThreshOnBackgroundNorm(pix, nil, 10, 15, 100, 50, 255, 2, 2, 0.1, nil))
    }

    /// The brightness of the darkest paper, 0…255: a tenth of the picture has darker paper.
    ///
    /// The brightest pixel within 80 pixels is paper: no stroke is as wide. Photos by lamplight or in a shadow have paper of 50
    /// to 80, most others of 140 and more.
    func shade() -> Int32 {
        guard let brightest = Raster(pixScaleGrayMinMax(pix, 16, 16, Int32(L_CHOOSE_MAX))),
            let paper = Raster(pixCloseGray(brightest.pix, 5, 5))
        else { return 255 }
        var shade: UInt32 = 0
        return pixGetRankValue(paper.pix, 1, 0.1, &shade) == 0 ? Int32(shade) : 255
    }
}
