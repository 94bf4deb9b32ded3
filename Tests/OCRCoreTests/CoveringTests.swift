import Recognition
import Testing

@testable import OCRCore

@Suite(.timeLimit(.minutes(15))) struct CoveringTests {
    @Test func `paints covered areas and their margins black in a copy`() throws {
        let white = try #require(
            Raster(
                width: 200, height: 100,
                fill: { rows, stride in
                    for index in 0..<(stride * 100) { rows[index] = 200 }
                    return true
                }))
        let covered = try #require(
            white.covered([
                PixelBox(x: 50, y: 40, width: 30, height: 16), PixelBox(x: 190, y: 90, width: 10, height: 10),
                // Outside the picture.
                PixelBox(x: 300, y: 10, width: 10, height: 10), PixelBox(x: 10, y: 300, width: 10, height: 10),
            ]))
        let pixels = try #require(
            covered.withBytes { rows, stride in
                [(50, 40), (79, 55), (49, 39), (199, 99), (40, 30), (90, 60), (0, 0)].map { rows[$0.1 * stride + $0.0] }
            })
        #expect(pixels == [0, 0, 0, 0, 200, 200, 200])
        let pixelBefore = try #require(white.withBytes { rows, stride in rows[45 * stride + 60] })
        #expect(pixelBefore == 200)
    }
}
