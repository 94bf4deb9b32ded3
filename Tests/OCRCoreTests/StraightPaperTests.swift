import CTesseract
import Foundation
import Recognition
import Testing

@testable import OCRCore

/// Sheets that are found by their straight edges, and print with noise.
@Suite(.timeLimit(.minutes(15))) struct StraightPaperTests {
    private static let receipt = [
        "SUPERMARKT BERGER", "HAUPTSTRASSE 12", "VOLLMILCH 3,5%       1,19 A", "ROGGENBROT           2,49 A",
        "BANANEN LOSE         1,85 A", "BUTTER 250 G         3,29 A", "APFELSAFT KLAR       1,79 B",
        "SUMME EUR           10,61", "VIELEN DANK",
    ]

    private static func noise(_ seed: UInt32) -> (_ below: UInt32) -> UInt8 {
        var state = seed
        return { below in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8((state >> 16) % below)
        }
    }

    /// The receipt on gravel, rotated by an angle in radians. Some stones are as bright as paper. Also returns
    /// whether a pixel is on the paper.
    private func onGravel(_ angle: Double) throws -> (picture: Raster, isPaper: (_ x: Int, _ y: Int) -> Bool) {
        let paper = try #require(drawnPicture(Self.receipt + Self.receipt))
        let (width, height) = (paper.width * 2, paper.height * 3 / 2)
        func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
            let (dx, dy) = (Double(x - width / 2), Double(y - height / 2))
            return (
                Int(dx * cos(angle) + dy * sin(angle)) + paper.width / 2,
                Int(dy * cos(angle) - dx * sin(angle)) + paper.height / 2
            )
        }
        func isPaper(_ x: Int, _ y: Int) -> Bool {
            let (column, row) = place(x, y)
            return (0..<paper.width).contains(column) && (0..<paper.height).contains(row)
        }
        let random = Self.noise(11)
        let stones = (0..<((width / 20 + 1) * (height / 16 + 1))).map { _ in 30 + random(200) }
        let picture = paper.withBytes { source, sourceStride in
            Raster(width: width, height: height) { rows, stride in
                for y in 0..<height {
                    for x in 0..<width {
                        let (column, row) = place(x, y)
                        rows[y * stride + x] =
                            isPaper(x, y)
                            ? source[row * sourceStride + column]
                            : stones[y / 16 * (width / 20 + 1) + x / 20] - min(random(30), 30)
                    }
                }
                return true
            }
        }
        return (try #require(picture ?? nil), isPaper)
    }

    @Test(arguments: [-0.25, 0, 0.12])
    func `finds a sheet on gravel by its edges`(angle: Double) throws {
        let (picture, isPaper) = try onGravel(angle)
        for quarters in [0, 1] {
            let turned = picture.turned(quarters: quarters)
            let letters = try #require(turned.letters())
            let mask = try #require(turned.straightSheet(letters: letters))
                .turned(quarters: 4 - quarters)
            let grey = try #require(Raster(pixConvertTo8(mask.pix, 0)).flatMap { PixelRows($0) })
            var (wrong, right) = (0, 0)
            for y in stride(from: 0, to: picture.height, by: 3) {
                for x in stride(from: 0, to: picture.width, by: 3) {
                    if (grey[x, y] == 0) == isPaper(x, y) { right += 1 } else { wrong += 1 }
                }
            }
            #expect(wrong * 25 < right, "\(wrong) of \(right + wrong)")
        }
    }

    @Test func `reads a sheet on gravel without the stones`() throws {
        let picture = try onGravel(0.12).picture
        let texts = try PageReader().read(picture).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == 2 * Self.receipt.count, "\(texts)")
        #expect(texts.count > 5 && texts[5].contains("3,29"), "\(texts)")
    }

    @Test func `does not mistake a stripe of light across the paper for a sheet`() throws {
        let paper = try #require(drawnPicture(Self.receipt + Self.receipt))
        let random = Self.noise(5)
        let lit = paper.withBytes { source, sourceStride in
            Raster(width: paper.width, height: paper.height) { rows, stride in
                for y in 0..<paper.height {
                    for x in 0..<paper.width {
                        let own = source[y * sourceStride + x]
                        let isLit = (paper.width / 4..<paper.width * 2 / 3).contains(x)
                        rows[y * stride + x] = (isLit ? own - min(own, 20) : own / 2) + random(20)
                    }
                }
                return true
            }
        }
        let picture = try #require(lit ?? nil)
        let letters = try #require(picture.fitted(to: 1_200).letters())
        #expect(picture.straightSheet(letters: letters) != nil)
        #expect(picture.paperOnGrain(letters: letters) == nil)
    }

    @Test func `finds no edges if the paper fills the picture`() throws {
        let paper = try #require(drawnPicture(Self.receipt))
        let letters = try #require(paper.letters())
        #expect(paper.straightSheet(letters: letters) == nil)
    }

    @Test func `reads print that consists of faint rows of dots, in a picture with noise`() throws {
        let paper = try #require(drawnPicture(Self.receipt + Self.receipt)?.scaled(by: 2))
        let random = Self.noise(3)
        let dotted = paper.withBytes { source, sourceStride in
            Raster(width: paper.width, height: paper.height) { rows, stride in
                for y in 0..<paper.height {
                    for x in 0..<paper.width {
                        let own = source[y * sourceStride + x]
                        let ink = y % 6 < 3 ? (235 - min(own, 235)) / 3 : 0
                        rows[y * stride + x] = 215 - min(ink, 200) + random(40)
                    }
                }
                return true
            }
        }
        let picture = try #require(dotted ?? nil)
        let texts = try PageReader().read(picture).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == 2 * Self.receipt.count, "\(texts)")
        #expect(texts.count > 5 && texts[5].contains("3,29"), "\(texts)")
    }
}
