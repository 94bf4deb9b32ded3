import CTesseract
import Recognition
import Testing

@testable import OCRCore

/// Print that became grey all over.
@Suite(.timeLimit(.minutes(15))) struct FadedPrintTests {
    private static let receipt = [
        "SUPERMARKT BERGER", "HAUPTSTRASSE 12", "VOLLMILCH 3,5%       1,19 A", "ROGGENBROT           2,49 A",
        "BANANEN LOSE         1,85 A", "BUTTER 250 G         3,29 A", "APFELSAFT KLAR       1,79 B",
        "SUMME EUR           10,61", "VIELEN DANK",
    ]

    /// The receipt in ink of so many percent of the paper's light, with a camera's noise; `light` is that of the paper at x
    /// in percent.
    private func printed(ink: Int, light: (_ x: Int) -> Int = { _ in 100 }) throws -> Raster {
        let page = try #require(drawnPicture(Self.receipt))
        let (width, height) = (page.width, page.height)
        var state: UInt32 = 7
        let picture = page.withBytes { source, sourceStride in
            Raster(width: width, height: height) { rows, stride in
                for y in 0..<height {
                    for x in 0..<width {
                        state = state &* 1_664_525 &+ 1_013_904_223
                        // 0 is ink, 235 is paper.
                        let grey = Int(source[y * sourceStride + x])
                        let value = (235 * ink / 100 + grey * (100 - ink) / 100) * light(x) / 100
                        rows[y * stride + x] = UInt8(max(0, min(255, value + Int(state >> 16) % 9 - 4)))
                    }
                }
                return true
            }
        }
        return try #require(picture ?? nil)
    }

    @Test(arguments: [70, 84]) func `faded print is read as dark print is`(ink: Int) throws {
        let texts = try PageReader().read(printed(ink: ink)).page.lines.map {
            $0.words.map(\.text).joined().replacing(" ", with: "")
        }
        for line in ["VOLLMILCH3,5%1,19A", "BUTTER250G3,29A", "SUMMEEUR10,61"] {
            #expect(texts.contains(line), "\(texts)")
        }
    }

    @Test func `faded print becomes dark, in the shadow as well`() throws {
        // Half of the paper lies in the shade.
        let picture = try printed(ink: 66) { $0 < 380 ? 100 : max(50, 100 - ($0 - 380) / 2) }
        let letters = try #require(picture.letters())
        let dark = try #require(picture.darkened(letters: letters))
        let (before, after) = (try #require(PixelRows(picture)), try #require(PixelRows(dark)))
        let ink = try #require(Raster(pixConvertTo8(letters.pix, 0)).flatMap { PixelRows($0) })
        var (darkest, palest) = (255, 0)
        for y in 0..<picture.height {
            for x in 0..<picture.width where ink[x, y] == 0 && before[x, y] < 90 {
                darkest = min(darkest, Int(after[x, y]))
            }
            // The blank in front of the lines stays bright.
            for x in 0..<15 { palest = max(palest, Int(before[x, y]) - Int(after[x, y])) }
        }
        #expect(darkest < 60)
        #expect(palest < 25)
    }

    @Test func `thin strokes become dark beside a code that is`() throws {
        // Bars of full ink below the pale lines, with more ink than these.
        let pale = try printed(ink: 66)
        let (width, height) = (pale.width, pale.height + 140)
        let drawn = pale.withBytes { source, sourceStride in
            Raster(width: width, height: height) { rows, stride in
                for y in 0..<height {
                    for x in 0..<width {
                        let isBar = y > pale.height + 20 && y < height - 20 && x > 40 && x < width - 40 && x % 16 < 9
                        rows[y * stride + x] = y < pale.height ? source[y * sourceStride + x] : isBar ? 20 : 235
                    }
                }
                return true
            }
        }
        let picture = try #require(drawn ?? nil)
        let letters = try #require(picture.letters(largest: 200))
        let (before, after) = (
            try #require(PixelRows(picture)),
            try #require(picture.darkened(letters: letters).flatMap { PixelRows($0) })
        )
        var darkest = 255
        for y in 0..<pale.height {
            for x in 0..<width where before[x, y] < 170 { darkest = min(darkest, Int(after[x, y])) }
        }
        #expect(darkest < 110)
    }

    @Test func `print that is dark stays as it is`() throws {
        let picture = try printed(ink: 45)
        #expect(picture.darkened(letters: try #require(picture.letters())) == nil)
    }
}
