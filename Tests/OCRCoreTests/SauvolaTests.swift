import CTesseract
import Testing

@testable import OCRCore

@Suite(.timeLimit(.minutes(15))) struct SauvolaTests {
    /// A picture with shade, strokes and reproducible noise.
    private func picture(width: Int, height: Int, seed: UInt64) -> Raster? {
        var state = seed
        return Raster(width: width, height: height) { rows, stride in
            for y in 0..<height {
                for x in 0..<width {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let shade = 90 + 150 * x / width - 60 * y / height
                    let stroke = (x / 3 + y / 11) % 5 == 0 ? 80 : 0
                    rows[y * stride + x] = UInt8(max(0, min(255, shade - stroke + Int(state >> 59) - 16)))
                }
            }
            return true
        }
    }

    /// The result of leptonica for the same picture.
    private func reference(_ picture: Raster, _ halfWindow: Int, _ factor: Float) -> Raster? {
        var result: UnsafeMutablePointer<Pix>?
        let status = pixSauvolaBinarize(picture.pix, Int32(halfWindow), factor, 1, nil, nil, nil, &result)
        return status == 0 ? Raster(result) : nil
    }

    @Test(arguments: [(33, 29, 12), (64, 64, 6), (161, 97, 24), (500, 333, 13), (700, 640, 20)])
    func `equals leptonica's result bit by bit`(width: Int, height: Int, halfWindow: Int) throws {
        for (seed, factor) in [(1, Float(0.25)), (2, 0.3), (3, 0.5)] {
            let drawn = try #require(picture(width: width, height: height, seed: UInt64(seed)))
            let own = try #require(drawn.sauvola(halfWindow: halfWindow, factor: factor))
            let other = try #require(reference(drawn, halfWindow, factor))
            var same: Int32 = 0
            #expect(pixEqual(own.pix, other.pix, &same) == 0 && same == 1)
            #expect(own.ink() > 0 && own.ink() < width * height)
        }
    }

    @Test func `finds no ink in a white picture, and has no result for a picture smaller than its window`() throws {
        let white = try #require(
            Raster(width: 60, height: 50) { rows, stride in
                for index in 0..<(stride * 50) { rows[index] = 255 }
                return true
            })
        #expect(white.sauvola(halfWindow: 6)?.ink() == 0)
        let black = try #require(
            Raster(width: 60, height: 50) { rows, stride in
                for index in 0..<(stride * 50) { rows[index] = 0 }
                return true
            })
        #expect(black.sauvola(halfWindow: 6)?.ink() == reference(black, 6, 0.3)?.ink())
        #expect(white.sauvola(halfWindow: 30) == nil)
    }
}
