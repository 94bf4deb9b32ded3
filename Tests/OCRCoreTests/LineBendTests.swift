import Glibc
import Recognition
import Testing

@testable import OCRCore

/// Lines on paper that is bent or was photographed from the side.
@Suite(.serialized, .timeLimit(.minutes(15))) struct LineBendTests {
    /// The vertical displacement of a point of a page of 1,000 × 2,000 pixels.
    typealias Surface = @Sendable (_ x: Double, _ y: Double) -> Double

    private static let surfaces: [Surface] = [
        // Photographed from the side: the lines diverge from a point beside the page.
        { x, y in (x - 500) * (y - 1_000) / 8_000 },
        // The paper is bowed.
        { x, _ in 30 * sin(.pi * x / 1_000) },
        // The lower end is rolled up.
        { x, y in -40 * (y / 2_000) * (y / 2_000) * cos(.pi * (x / 1_000 - 0.5)) },
    ]

    /// Letters of 20 × 30 pixels, with names on the left and amounts far on the right.
    private func letters(_ surface: Surface) -> [PixelBox] {
        (0..<45).flatMap { line -> [PixelBox] in
            let name = (0..<(6 + line * 7 % 11)).filter { $0 % 7 != 6 }.map { 60 + $0 * 24 }
            let amount = (0..<4).map { 820 + $0 * 24 }
            return (name + amount).map { x in
                let y = 40 + line * 42
                return PixelBox(
                    x: x, y: y + Int(surface(Double(x) + 10, Double(y) + 15).rounded()), width: 20, height: 30)
            }
        }
    }

    @Test(arguments: surfaces) func `finds the surface from the letters`(surface: Surface) throws {
        let bend = try #require(LineBend(letters(surface), capital: 30))
        for y in stride(from: 100.0, through: 1_900, by: 300) {
            // Only the difference between the heights of amount and name matters.
            let found = bend.drop(x: 840, y: y) - bend.drop(x: 100, y: y)
            #expect(abs(found - (surface(840, y) - surface(100, y))) < 6)
        }
    }

    @Test func `finds no bend in level lines`() throws {
        let bend = try #require(LineBend(letters { _, _ in 0 }, capital: 30))
        #expect(bend.depth < 3)
    }

    @Test func `finds no surface from few letters`() {
        #expect(LineBend(Array(letters { _, _ in 0 }.prefix(60)), capital: 30) == nil)
    }

    @Test func `joins both ends of bowed lines`() throws {
        let names = ["VOLLMILCH", "BROT", "BANANEN", "BUTTER", "APFELSAFT", "QUARK", "EIER", "SALZ", "ESSIG"]
        let places = ["NORD", "OSTEN", "MITTE", "WEST", "OBEN", "UNTEN", "LINKS", "HINTEN", "VORNE"]
        let lines = zip(names, places).map { $0 + String(repeating: " ", count: 30 - $0.count) + $1 }
        let flat = try #require(drawnPicture(["SUPERMARKT BERGER IM TAL", "12345 NEUSTADT AN DER AUE"] + lines))
        let bent = try #require(
            flat.displaced { x, y in -36 * Double(y) / Double(flat.height) * sin(.pi * Double(x) / 700) })
        let reading = try PageReader().read(bent)
        let texts = reading.page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        for (name, place) in zip(names, places) {
            #expect(texts.contains { $0.hasPrefix(name) && $0.hasSuffix(place) }, "\(texts)")
        }
        // The boxes are positions on the returned picture, from which the bend was removed.
        let last = try #require(reading.page.lines.last?.words.last?.box)
        #expect(last.maxX <= reading.picture.width && last.maxY <= reading.picture.height)
    }
}

extension Raster {
    /// The picture with each pixel taken from `offset` pixels below.
    fileprivate func displaced(_ offset: (Int, Int) -> Double) -> Raster? {
        let (width, height) = (self.width, self.height)
        let result = withBytes { source, sourceStride in
            Raster(width: width, height: height) { rows, stride in
                for y in 0..<height {
                    for x in 0..<width {
                        let from = max(0, min(Double(height - 2), Double(y) + offset(x, y)))
                        let share = from - from.rounded(.down)
                        let at = source + Int(from) * sourceStride + x
                        rows[y * stride + x] = UInt8(Double(at[0]) * (1 - share) + Double(at[sourceStride]) * share)
                    }
                }
                return true
            }
        }
        return result ?? nil
    }
}
