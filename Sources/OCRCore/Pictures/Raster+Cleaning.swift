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
}
