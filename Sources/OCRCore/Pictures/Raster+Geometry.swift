import CTesseract
import Recognition

extension Raster {
    /// The picture turned clockwise by quarter turns.
    func turned(quarters: Int) -> Raster {
        quarters % 4 == 0 ? self : Raster(pixRotateOrth(pix, Int32(quarters & 3))) ?? self
    }

    /// The picture mirrored left to right, as needed for EXIF orientations 2, 4, 5 and 7.
    func mirrored() -> Raster { Raster(pixFlipLR(nil, pix)) ?? self }

    /// The picture scaled by a factor in both directions.
    ///
    /// The sharpening that the library adds by default is disabled, because it splits dotted strokes.
    func scaled(by factor: Float) -> Raster {
        if abs(factor - 1) < 0.01 { return self }
        let result =
            factor < 0.7 ? pixScaleAreaMap(pix, factor, factor) : pixScaleGeneral(pix, factor, factor, 0, 0)
        return Raster(result) ?? self
    }

    /// The picture reduced so that its long side has at most `side` pixels.
    package func fitted(to side: Int) -> Raster {
        longSide <= side ? self : scaled(by: Float(side) / Float(longSide))
    }

    /// The part inside `box`, clipped to the picture.
    func cropped(to box: PixelBox) -> Raster {
        if box.x <= 0, box.y <= 0, box.maxX >= width, box.maxY >= height { return self }
        var area: UnsafeMutablePointer<Box>? = boxCreate(
            Int32(box.x), Int32(box.y), Int32(box.width), Int32(box.height))
        defer { boxDestroy(&area) }
        return Raster(pixClipRectangle(pix, area, nil)) ?? self
    }

    /// The part inside `box`, clipped to the picture; the whole picture if they do not overlap.
    func cropped(toVisible box: PixelBox) -> Raster { cropped(to: visible(box)) }

    /// Whether a part of `box` is inside the picture.
    func has(_ box: PixelBox) -> Bool {
        box.width > 0 && box.height > 0 && box.x < width && box.y < height && box.maxX > 0 && box.maxY > 0
    }

    /// The part of `box` inside the picture; the whole picture if they do not overlap.
    func visible(_ box: PixelBox) -> PixelBox {
        let left = max(0, box.x)
        let top = max(0, box.y)
        let right = min(width, box.maxX)
        let bottom = min(height, box.maxY)
        guard left < right, top < bottom else { return PixelBox(x: 0, y: 0, width: width, height: height) }
        return PixelBox(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The picture turned clockwise by a small angle in radians. New area is white.
    func rotated(by angle: Float) -> Raster {
        guard abs(angle) > 0.001 else { return self }
        return Raster(
            pixRotate(pix, angle, Int32(L_ROTATE_AREA_MAP), Int32(L_BRING_IN_WHITE), Int32(width), Int32(height)))
            ?? self
    }
}
