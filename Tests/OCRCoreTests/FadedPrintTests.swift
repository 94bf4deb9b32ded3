import CTesseract
import Recognition
import Testing

@testable import OCRCore

/// Print that has faded to grey.
@Suite(.timeLimit(.minutes(15))) struct FadedPrintTests {
    private static let receipt = [
        "SUPERMARKT BERGER", "HAUPTSTRASSE 12", "VOLLMILCH 3,5%       1,19 A", "ROGGENBROT           2,49 A",
        "BANANEN LOSE         1,85 A", "BUTTER 250 G         3,29 A", "APFELSAFT KLAR       1,79 B",
        "SUMME EUR           10,61", "VIELEN DANK",
    ]

    /// The receipt with camera noise. The ink has `ink` percent of the paper's brightness; `light` is the brightness at
    /// x, in percent.
    private func printedReceipt(ink: Int, light: (_ x: Int) -> Int = { _ in 100 }) throws -> Raster {
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

    @Test(arguments: [70, 84]) func `reads faded print like dark print`(ink: Int) throws {
        let texts = try PageReader().read(printedReceipt(ink: ink)).page.lines.map {
            $0.words.map(\.text).joined().replacing(" ", with: "")
        }
        for line in ["VOLLMILCH3,5%1,19A", "BUTTER250G3,29A", "SUMMEEUR10,61"] {
            #expect(texts.contains(line), "\(texts)")
        }
    }

    @Test func `finds print that is paler than the usual threshold`() throws {
        let texts = try PageReader().read(printedReceipt(ink: 88)).page.lines.map {
            $0.words.map(\.text).joined().replacing(" ", with: "")
        }
        #expect(texts.contains { $0.hasPrefix("BUTTER250G") }, "\(texts)")
    }

    /// A pale receipt to the right of a sheet with dark print. The sheet is turned by `angle`, in radians. `edge` is the
    /// right edge of the sheet, in pixels.
    private func besideDarkSheet(angle: Float) throws -> (picture: Raster, edge: Int) {
        let pale = try printedReceipt(ink: 84)
        let prices = (0..<24).map { "\($0 % 9) x 1,\($0 + 10)   1\($0 % 7),\($0 + 11) A" }
        let sheet = try #require(drawnPicture(prices)?.scaled(by: 0.4))
        let edge = sheet.cropped(to: PixelBox(x: 20, y: 0, width: 170, height: sheet.height)).rotated(by: angle)
        let whole = try #require(pixCreate(Int32(edge.width + pale.width), Int32(max(edge.height, pale.height)), 8))
        pixSetAllArbitrary(whole, 235)
        pixRasterop(whole, 0, 0, Int32(edge.width), Int32(edge.height), PIX_SRC, edge.pix, 0, 0)
        pixRasterop(whole, Int32(edge.width), 0, Int32(pale.width), Int32(pale.height), PIX_SRC, pale.pix, 0, 0)
        return (try #require(Raster(whole)), edge.width)
    }

    @Test func `separates a pale receipt from the dark print of a sheet at another angle`() throws {
        let (picture, edge) = try besideDarkSheet(angle: -0.2)
        let dark = try #require(picture.letters())
        let all = try #require(picture.letters(contrast: 0.1))
        let remainingPicture = try #require(picture.withoutSheet(of: dark, beside: all))
        #expect(remainingPicture.letters.printedColumn().x > edge - 40)
        #expect(abs(remainingPicture.letters.skew() ?? 1) < 0.02)
        let texts = try PageReader().read(remainingPicture.picture).page.lines.map {
            $0.words.map(\.text).joined().replacing(" ", with: "")
        }
        #expect(texts.contains { $0.hasPrefix("BUTTER250G") }, "\(texts)")
    }

    @Test func `keeps dark print at the angle of the pale print`() throws {
        let (picture, _) = try besideDarkSheet(angle: 0)
        let dark = try #require(picture.letters())
        let all = try #require(picture.letters(contrast: 0.1))
        #expect(picture.withoutSheet(of: dark, beside: all) == nil)
    }

    @Test func `joins the dark parts of letters with their pale parts`() throws {
        let page = try #require(drawnPicture(Self.receipt))
        let whole = try #require(page.letters(joined: 4)?.pieces().filter(\.mayBeLetter).count)
        // Two of ten rows are too pale for the usual threshold, so that a letter becomes several pieces.
        let picture = page.withBytes { source, sourceStride in
            Raster(width: page.width, height: page.height) { rows, stride in
                for y in 0..<page.height {
                    let ink = y % 10 < 8 ? 66 : 78
                    for x in 0..<page.width {
                        let share = 100 * (100 - ink) - Int(source[y * sourceStride + x]) * 100 * (100 - ink) / 235
                        rows[y * stride + x] = UInt8(235 - 235 * share / 10_000)
                    }
                }
                return true
            }
        }
        let grey = try #require(picture ?? nil)
        let usual = try #require(grey.letters(joined: 4)?.pieces().count)
        let letters = try #require(PrintedLetters(grey, joined: 4))
        let repaired = letters.picture.pieces().filter(\.mayBeLetter).count
        #expect(usual > whole * 3 / 2)
        #expect(abs(repaired - whole) * 10 <= whole)
        #expect((26...32).contains(letters.capital ?? 0))
    }

    @Test func `darkens faded print, also in the shade`() throws {
        // The right half of the paper is in the shade.
        let picture = try printedReceipt(ink: 66) { $0 < 380 ? 100 : max(50, 100 - ($0 - 380) / 2) }
        let letters = try #require(picture.letters())
        let dark = try #require(picture.darkened(letters: letters))
        let (before, after) = (try #require(PixelRows(picture)), try #require(PixelRows(dark)))
        let ink = try #require(Raster(pixConvertTo8(letters.pix, 0)).flatMap { PixelRows($0) })
        var (darkest, largestChange) = (255, 0)
        for y in 0..<picture.height {
            for x in 0..<picture.width where ink[x, y] == 0 && before[x, y] < 90 {
                darkest = min(darkest, Int(after[x, y]))
            }
            // The margin before the lines stays bright.
            for x in 0..<15 { largestChange = max(largestChange, Int(before[x, y]) - Int(after[x, y])) }
        }
        #expect(darkest < 60)
        #expect(largestChange < 25)
    }

    @Test func `darkens thin strokes beside a bar code with dark ink`() throws {
        // Dark bars below the pale lines, with more ink than the lines.
        let pale = try printedReceipt(ink: 66)
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

    @Test func `leaves dark print unchanged`() throws {
        let picture = try printedReceipt(ink: 45)
        #expect(picture.darkened(letters: try #require(picture.letters())) == nil)
    }
}
