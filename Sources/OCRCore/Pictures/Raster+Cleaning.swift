import CTesseract

extension Raster {
    /// Black and white by one threshold for the whole picture after normalising.
    func otsu() -> Raster? {
        Raster(pixOtsuThreshOnBackgroundNorm(pix, nil, 10, 15, 100, 50, 255, 2, 2, 0.1, nil))
    }

    /// Black and white by a threshold that follows the surroundings: for shadows and pale thermal print.
    func sauvola(halfWindow: Int, factor: Float = 0.3) -> Raster? {
        guard width > 2 * halfWindow + 2, height > 2 * halfWindow + 2 else { return nil }
        var result: UnsafeMutablePointer<Pix>?
        let across = Int32(max(1, width / 600))
        let down = Int32(max(1, height / 600))
        guard pixSauvolaBinarizeTiled(pix, Int32(halfWindow), factor, across, down, nil, &result) == 0 else {
            return nil
        }
        return Raster(result)
    }

    /// How bright the paper is where it is darkest, 0…255: a tenth of the picture has darker paper.
    ///
    /// What is brightest within 80 pixels is paper: no stroke is as wide. Photos by lamplight or with the shadow of a head
    /// have paper of 50 to 80, most others of 140 and more.
    func shade() -> Int32 {
        guard let brightest = Raster(pixScaleGrayMinMax(pix, 16, 16, Int32(L_CHOOSE_MAX))),
            let paper = Raster(pixCloseGray(brightest.pix, 5, 5))
        else { return 255 }
        var shade: UInt32 = 0
        return pixGetRankValue(paper.pix, 1, 0.1, &shade) == 0 ? Int32(shade) : 255
    }
}
