import Recognition
import Testing

@testable import OCRCore

/// Letters that are printed in an upper and a lower part, as on pale print or with a broken dot of the print head.
@Suite(.timeLimit(.minutes(5))) struct BrokenLetterTests {
    @Test func `joins the halves of words`() {
        let upper = (0..<5).map { PixelBox(x: 40 + $0 * 120, y: 100, width: 100, height: 12) }
        let lower = upper.map { PixelBox(x: $0.x + 4, y: 116, width: 90, height: 14) }
        let joined = (upper + lower).joinedHalves(capital: 30)
        #expect(joined.count == 5)
        #expect(joined.allSatisfy { $0.y == 100 && $0.height == 30 })
    }

    @Test func `joins neither separate lines nor a dash`() {
        let line = PixelBox(x: 40, y: 100, width: 100, height: 30)
        let next = PixelBox(x: 40, y: 142, width: 100, height: 30)
        let dash = PixelBox(x: 40, y: 134, width: 20, height: 2)
        #expect([line, next, dash].joinedHalves(capital: 30).count == 3)
    }

    /// A picture of 8 × 6 letters of 20 × 60 pixels, each split in the middle by `blank` white rows.
    private func letters(blank: Int) throws -> Raster {
        let picture = try #require(
            Raster(width: 400, height: 800) { rows, stride in
                for index in 0..<(stride * 800) { rows[index] = 255 }
                for (line, column) in (0..<6).flatMap({ line in (0..<8).map { (line, $0) } }) {
                    for y in 0..<60 where !(30..<(30 + blank)).contains(y) {
                        for x in 0..<20 { rows[(30 + line * 120 + y) * stride + 20 + column * 40 + x] = 0 }
                    }
                }
                return true
            })
        return try #require(picture.darkHalf())
    }

    @Test(arguments: [0, 6]) func `measures the full height of split letters`(blank: Int) throws {
        #expect(try letters(blank: blank).capitalHeight() == 60)
    }
}
