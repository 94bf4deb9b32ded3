import Recognition
import Testing

@testable import OCRCore

/// Characters drawn with `#` for ink. A cell has 4 × 4 pixels.
@Suite(.timeLimit(.minutes(15))) struct MarkedZeroTests {
    private static let zero = [
        "..####..", ".#....#.", "#......#", "#......#", "#......#", "#......#", ".#....#.", "..####..",
    ]
    private static let slashedZero = [
        "..####..", ".#....#.", "#....#.#", "#...#..#", "#..#...#", "#.#....#", ".#....#.", "..####..",
    ]
    /// A narrow zero of a dot-matrix printer. Its holes are one above the other, separated by a rising stroke.
    private static let narrowZero = [
        ".####.", "#....#", "#....#", "#....#", "#..###", "#.##.#", "###..#", "#....#", "#....#", ".####.",
    ]
    private static let narrowEight = [
        ".####.", "#....#", "#....#", "#....#", ".####.", ".####.", "#....#", "#....#", "#....#", ".####.",
    ]
    private static let dottedZero = [
        "..####..", ".#....#.", "#......#", "#..##..#", "#..##..#", "#......#", ".#....#.", "..####..",
    ]
    /// A zero with a vertical stroke. Its holes are side by side.
    private static let barredZero = [
        "..####..", ".#.##.#.", "#..##..#", "#..##..#", "#..##..#", "#..##..#", ".#.##.#.", "..####..",
    ]
    private static let eight = [
        "..####..", ".#....#.", "#......#", ".######.", ".######.", "#......#", ".#....#.", "..####..",
    ]
    private static let comma = [
        "........", "........", "........", "........", "........", "........", "...#....", "..#.....",
    ]
    /// A comma half as high as a capital, which extends below the line.
    private static let blurredComma =
        Array(repeating: "........", count: 5) + [
            "..###...", "..###...", "..##....", ".##.....",
        ]
    private static let two = [
        "..####..", ".#....#.", "......#.", ".....#..", "....#...", "...#....", "..#.....", ".######.",
    ]

    /// A picture of the characters side by side, each 9 cells wide.
    private func ink(_ glyphs: [[String]]) throws -> PixelRows {
        let cell = 4
        let height = cell * (glyphs.map(\.count).max() ?? 0)
        let picture = Raster(width: glyphs.count * 9 * cell, height: height) { rows, stride in
            for index in 0..<(stride * height) { rows[index] = 255 }
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

    @Test func `recognises a zero with a slash, a dot or a bar, but neither a plain zero nor an eight`() throws {
        let glyphs = try ink([Self.zero, Self.slashedZero, Self.dottedZero, Self.barredZero, Self.eight, Self.comma])
            .glyphs(
                in: PixelBox(x: 0, y: 0, width: 216, height: 32), capital: 32)
        #expect(glyphs.map(\.isMarkedZero) == [false, true, true, true, false])
    }

    @Test(arguments: [("8,82", "0,82"), ("®,82", "0,82"), ("9,82", "0,82"), ("4,82", "4,82"), ("8.82", "0.82")])
    func `replaces misreadings of a marked zero, and keeps a real eight`(read text: String, expected: String)
        throws
    {
        #expect(try read(text, [Self.slashedZero, Self.comma, Self.eight, Self.two]) == expected)
    }

    @Test func `does not count a comma enlarged by blur as a digit`() throws {
        #expect(try read("8,82", [Self.slashedZero, Self.blurredComma, Self.eight, Self.two]) == "0,82")
        #expect(try read("2,80", [Self.barredZero, Self.blurredComma, Self.eight, Self.slashedZero]) == "0,80")
    }

    @Test func `keeps a word whose characters do not match the shapes in the picture`() throws {
        #expect(try read("88,82", [Self.slashedZero, Self.comma, Self.eight, Self.two]) == "88,82")
    }

    @Test func `distinguishes a narrow zero from an eight by its rising stroke`() throws {
        let glyphs = try ink([Self.narrowZero, Self.narrowEight]).glyphs(
            in: PixelBox(x: 0, y: 0, width: 72, height: 40), capital: 40)
        #expect(glyphs.map(\.isMarkedZero) == [true, false])
    }
}
