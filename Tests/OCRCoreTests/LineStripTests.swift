import CTesseract
import Recognition
import Testing

@testable import OCRCore

/// Strips of single lines in closely set print.
@Suite(.timeLimit(.minutes(15))) struct LineStripTests {
    private let pass = LinePass(cleaning: .normalised, capital: 30, maximumBlank: 12)

    /// Draws each line as a black bar, and returns the strip of the line at y = 90.
    private func strip(rows: [Int], others: [PixelBox]) throws -> LineStrip {
        let picture = try #require(
            Raster(
                width: 400, height: 200,
                fill: { pixels, stride in
                    for index in 0..<(stride * 200) { pixels[index] = 235 }
                    for top in rows {
                        for y in top..<(top + 30) { for x in 50..<350 { pixels[y * stride + x] = 0 } }
                    }
                    return true
                }))
        let grey = try #require(PixelRows(picture))
        let line = PrintedLine(pieces: [PixelBox(x: 50, y: 90, width: 300, height: 30)])
        return try #require(LineStrip(line, pass: pass, grey: grey, ink: grey, capital: 30, others: others))
    }

    private func darkPixelCount(_ strip: LineStrip) throws -> Int {
        let rows = try #require(PixelRows(strip.picture))
        return (0..<rows.height).reduce(0) { sum, y in sum + (0..<rows.width).count { rows[$0, y] < 128 } }
    }

    @Test func `removes the edges of the neighbouring lines`() throws {
        let others = [
            PixelBox(x: 50, y: 56, width: 300, height: 30), PixelBox(x: 50, y: 124, width: 300, height: 30),
        ]
        #expect(try darkPixelCount(strip(rows: [56, 90, 124], others: others)) == 300 * 30)
        #expect(try darkPixelCount(strip(rows: [56, 90, 124], others: [])) > 300 * 30)
    }

    @Test func `keeps ink that is too close to be another line`() throws {
        // The upper part of letters with broken strokes.
        let brokenLine = PixelBox(x: 50, y: 82, width: 300, height: 14)
        #expect(try darkPixelCount(strip(rows: [82, 90], others: [brokenLine])) == 300 * 37)
    }
}
