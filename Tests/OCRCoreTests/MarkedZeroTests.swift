import Recognition
import Testing

@testable import OCRCore

/// Characters drawn as ink, `#`, one cell of which is 4 × 4 pixels.
@Suite(.timeLimit(.minutes(15))) struct MarkedZeroTests {
    private static let zero = [
        "..####..", ".#....#.", "#......#", "#......#", "#......#", "#......#", ".#....#.", "..####..",
    ]
    private static let slashed = [
        "..####..", ".#....#.", "#....#.#", "#...#..#", "#..#...#", "#.#....#", ".#....#.", "..####..",
    ]
    /// Narrow, as dot printers draw it: its holes lie above each other, parted by a stroke that rises to the right.
    private static let narrow = [
        ".####.", "#....#", "#....#", "#....#", "#..###", "#.##.#", "###..#", "#....#", "#....#", ".####.",
    ]
    private static let narrowEight = [
        ".####.", "#....#", "#....#", "#....#", ".####.", ".####.", "#....#", "#....#", "#....#", ".####.",
    ]
    private static let dotted = [
        "..####..", ".#....#.", "#......#", "#..##..#", "#..##..#", "#......#", ".#....#.", "..####..",
    ]
    /// A stroke from top to bottom: its holes lie at one height.
    private static let barred = [
        "..####..", ".#.##.#.", "#..##..#", "#..##..#", "#..##..#", "#..##..#", ".#.##.#.", "..####..",
    ]
    private static let eight = [
        "..####..", ".#....#.", "#......#", ".######.", ".######.", "#......#", ".#....#.", "..####..",
    ]
    private static let comma = [
        "........", "........", "........", "........", "........", "........", "...#....", "..#.....",
    ]
    /// As high as half a capital, and lower than its foot.
    private static let blurredComma =
        Array(repeating: "........", count: 5) + [
            "..###...", "..###...", "..##....", ".##.....",
        ]
    private static let two = [
        "..####..", ".#....#.", "......#.", ".....#..", "....#...", "...#....", "..#.....", ".######.",
    ]

    /// The characters beside each other, each 9 cells wide.
    private func ink(_ glyphs: [[String]]) throws -> PixelRows {
        let cell = 4
        let height = cell * (glyphs.map(\.count).max() ?? 0)
        let picture = Raster(width: glyphs.count * 9 * cell, height: height) { rows, stride in
            for at in 0..<(stride * height) { rows[at] = 255 }
            for (index, glyph) in glyphs.enumerated() {
                for (y, row) in glyph.enumerated() {
                    for (x, character) in row.enumerated() where character == "#" {
                        for inner in 0..<(cell * cell) {
                            let column = (index * 9 + x) * cell + inner % cell
                            rows[(y * cell + inner / cell) * stride + column] = 0
                        }
                    }
                }
            }
            return true
        }
        let drawn = try #require(picture)
        return try #require(PixelRows(drawn))
    }

    private func read(_ text: String, _ glyphs: [[String]]) throws -> String {
        let box = PixelBox(x: 0, y: 0, width: glyphs.count * 36 - 4, height: 32)
        return RecognizedWord(text: text, box: box, confidence: 90)
            .withMarkedZeros(ink: try ink(glyphs), capital: 32).text
    }

    @Test func `a zero with a slash or a dot is told from its shape, a plain one and an eight are none`() throws {
        let glyphs = try ink([Self.zero, Self.slashed, Self.dotted, Self.barred, Self.eight, Self.comma]).glyphs(
            in: PixelBox(x: 0, y: 0, width: 216, height: 32), capital: 32)
        #expect(glyphs.map(\.isMarkedZero) == [false, true, true, true, false])
    }

    @Test(arguments: [("8,82", "0,82"), ("®,82", "0,82"), ("9,82", "0,82"), ("4,82", "4,82"), ("8.82", "0.82")])
    func `what engines make of a marked zero becomes a zero, a real eight stays`(read text: String, means: String)
        throws
    {
        #expect(try read(text, [Self.slashed, Self.comma, Self.eight, Self.two]) == means)
    }

    @Test func `a comma enlarged by blur does not count as a digit`() throws {
        #expect(try read("8,82", [Self.slashed, Self.blurredComma, Self.eight, Self.two]) == "0,82")
        #expect(try read("2,80", [Self.barred, Self.blurredComma, Self.eight, Self.slashed]) == "0,80")
    }

    @Test func `where characters and glyphs do not go together, the word stays`() throws {
        #expect(try read("88,82", [Self.slashed, Self.comma, Self.eight, Self.two]) == "88,82")
    }

    @Test func `the stroke in a narrow zero rises, that of an eight does not`() throws {
        let glyphs = try ink([Self.narrow, Self.narrowEight]).glyphs(
            in: PixelBox(x: 0, y: 0, width: 72, height: 40), capital: 40)
        #expect(glyphs.map(\.isMarkedZero) == [true, false])
    }
}
