import CTesseract
import Recognition
import Testing

@testable import OCRCore

/// The page reader on drawn pictures, with the real engine.
@Suite(.serialized, .timeLimit(.minutes(15))) struct PageReaderTests {
    private static let receipt = [
        "SUPERMARKT BERGER", "HAUPTSTRASSE 12", "VOLLMILCH 3,5%   1,19 A", "ROGGENBROT   2,49 A",
        "BANANEN LOSE   1,85 A",
        "BUTTER 250 G   3,29 A", "APFELSAFT KLAR   1,79 B", "SUMME EUR   10,61", "VIELEN DANK",
    ]

    @Test(arguments: 0..<4, [0, 1, 3])
    func `reads a page in each orientation, whatever orientation its file states`(quarters: Int, byFile: Int) throws {
        let turned = try #require(drawnPicture(Self.receipt)).turned(quarters: quarters)
        let picture = try #require(Raster(pixCopy(nil, turned.pix), quartersByFile: byFile))
        let page = try PageReader().read(picture).page
        #expect(page.lines.count == Self.receipt.count)
        let texts = page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        for (line, start) in zip(
            texts, ["SUPER", "HAUPT", "VOLL", "ROGGEN", "BANANEN", "BUTTER", "APFEL", "SUMME", "VIELEN"])
        {
            #expect(line.hasPrefix(start))
        }
        #expect(texts.count > 5 && texts[5].contains("3,29"))
    }

    @Test(arguments: [-20, -9, 9, 20])
    func `reads a tilted page`(degrees: Int) throws {
        let askew = try #require(drawnPicture(Self.receipt)).rotated(by: Float(degrees) * .pi / 180)
        let page = try PageReader().read(askew).page
        #expect(page.lines.count == Self.receipt.count)
        let texts = page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        for (text, word) in zip(texts.dropFirst(2), ["MILCH", "BROT", "BANANEN", "BUTTER", "SAFT", "SUMME"]) {
            #expect(text.contains(word))
        }
    }

    @Test func `reads prices far from short names`() throws {
        let gap = String(repeating: " ", count: 24)
        let lines = ["KIOSK", "TEE\(gap)2,20", "OBST\(gap)1,85", "KUCHEN\(gap)3,40", "SUMME\(gap)7,45"]
        let page = try PageReader().read(try #require(drawnPicture(lines))).page
        #expect(page.lines.compactMap { $0.words.last?.text } == ["KIOSK", "2,20", "1,85", "3,40", "7,45"])
    }

    @Test func `reads a name in very large letters as the first line`() throws {
        let name = try #require(drawnPicture(["BERGER"])).cropped(to: PixelBox(x: 50, y: 75, width: 190, height: 50))
            .scaled(by: 3.3)
        let lines = Array(repeatElement(Self.receipt, count: 3).joined())
        let receipt = try #require(drawnPicture(lines))
        let picture = receipt.withBytes { lower, lowerStride in
            name.withBytes { upper, upperStride in
                Raster(width: receipt.width, height: receipt.height + name.height) { rows, stride in
                    for y in 0..<(receipt.height + name.height) {
                        for x in 0..<receipt.width {
                            let below = lower[max(0, y - name.height) * lowerStride + x]
                            rows[y * stride + x] =
                                y < name.height ? (x < name.width ? upper[y * upperStride + x] : 235) : below
                        }
                    }
                    return true
                }
            }
        }
        let page = try PageReader().read(try #require((picture ?? nil) ?? nil)).page
        let texts = page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.first == "BERGER", "\(texts)")
        #expect(texts.count == lines.count + 1)
        let box = try #require(page.lines.first?.words.first?.box)
        #expect(box.maxY < page.lines.dropFirst().first?.words.first?.box.y ?? 0)
    }

    @Test func `reads print in deep shade`() throws {
        let bright = try #require(drawnPicture(Self.receipt))
        let shaded = bright.withBytes { source, sourceStride in
            Raster(width: bright.width, height: bright.height) { rows, stride in
                for y in 0..<bright.height {
                    for x in 0..<bright.width {
                        // In the lower half, the paper has the value 56 and the ink 16, as in the shadow of a head.
                        let light = max(17, min(100, 100 + (bright.height * 2 / 5 - y)))
                        let value = Int(source[y * sourceStride + x])
                        rows[y * stride + x] = UInt8((value * light + 20 * (100 - light)) / 100)
                    }
                }
                return true
            }
        }
        let picture = try #require(shaded ?? nil)
        #expect(picture.shade() < 60)
        let texts = try PageReader().read(picture).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == Self.receipt.count, "\(texts)")
        #expect(texts.count > 5 && texts[5].contains("3,29"), "\(texts)")
    }

    @Test func `reads the print on paper on a chequered cloth, but not the cloth`() throws {
        let paper = try #require(drawnPicture(Self.receipt))
        let margin = paper.width / 2
        let laid = paper.withBytes { source, sourceStride in
            Raster(width: paper.width + 2 * margin, height: paper.height + 2 * margin) { rows, stride in
                for y in 0..<(paper.height + 2 * margin) {
                    for x in 0..<(paper.width + 2 * margin) {
                        let (column, row) = (x - margin, y - margin)
                        let isPaper = (0..<paper.width).contains(column) && (0..<paper.height).contains(row)
                        rows[y * stride + x] =
                            isPaper
                            ? source[row * sourceStride + column]
                            : [140, 90, 90, 40][(x / 24 & 1) + 2 * (y / 24 & 1)]
                    }
                }
                return true
            }
        }
        let picture = try #require(laid ?? nil)
        let texts = try PageReader().read(picture).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == Self.receipt.count, "\(texts)")
        #expect(texts.count > 5 && texts[5].contains("3,29"), "\(texts)")
    }

    private enum Light {
        case even
        /// The left quarter of the paper is in a shadow with visible camera noise. The background has a fine grain.
        case partlyShaded
        /// Most of the paper is in a shadow. There is noise everywhere.
        case mostlyShaded
        /// There is noise everywhere.
        case poor
        /// The paper is evenly lit. The background is a dark weave, too fine to look like letters.
        case onWeave
    }

    /// The receipt in the middle of a background.
    ///
    /// - Parameters:
    ///   - isGrained: whether the background has grains as large as letters. Otherwise it is plain, unless `light`
    ///     describes another background.
    ///   - light: the light on the paper.
    private func sheet(onGrain isGrained: Bool, _ light: Light = .even) throws -> Raster {
        let paper = try #require(drawnPicture(Self.receipt))
        let margin = paper.width / 2
        var state: UInt32 = 7
        func random(_ below: UInt32) -> UInt8 {
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8((state >> 16) % below)
        }
        let columns = (paper.width + 2 * margin) / 14 + 1
        let grains = (0..<(columns * ((paper.height + 2 * margin) / 14 + 1))).map { _ in 40 + random(100) }
        let picture = paper.withBytes { source, sourceStride in
            Raster(width: paper.width + 2 * margin, height: paper.height + 2 * margin) { rows, stride in
                for y in 0..<(paper.height + 2 * margin) {
                    for x in 0..<(paper.width + 2 * margin) {
                        let (column, row) = (x - margin, y - margin)
                        let isPaper = (0..<paper.width).contains(column) && (0..<paper.height).contains(row)
                        let own = isPaper ? source[row * sourceStride + column] : 0
                        let grain = grains[y / 14 * columns + x / 14]
                        rows[y * stride + x] =
                            switch (isPaper, light) {
                            case (true, .even), (true, .onWeave): own
                            case (false, .onWeave): 60 + random(24)
                            case (true, .poor): own - min(own, 20) + random(20)
                            case (true, .partlyShaded):
                                column * 4 < paper.width ? own / 2 + random(40) : own - min(own, 14) + random(14)
                            case (true, .mostlyShaded):
                                column * 10 < paper.width * 6 ? own / 2 + random(24) : own - min(own, 16) + random(16)
                            case (false, .mostlyShaded): 60 + random(24)
                            case (false, .partlyShaded): 80 + random(60)
                            case (false, _): isGrained ? grain + random(60) : 110
                            }
                    }
                }
                return true
            }
        }
        return try #require(picture ?? nil)
    }

    @Test func `finds paper on a grained background by the evenness of the paper, and hides the background`() throws {
        let picture = try sheet(onGrain: true)
        let letters = try #require(picture.fitted(to: 1_200).letters())
        let paper = try #require(picture.paperOnGrain(letters: letters)?.fitted(to: 1_200).letters())
        #expect(paper.ink() * 2 < letters.ink())
        let texts = try PageReader().read(picture).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == Self.receipt.count, "\(texts)")
        #expect(texts.count > 5 && texts[5].contains("3,29"), "\(texts)")
    }

    @Test func `finds uneven paper on a grained background by its brightness`() throws {
        let picture = try sheet(onGrain: true, .poor)
        let letters = try #require(picture.fitted(to: 1_200).letters())
        let paper = try #require(picture.paperOnGrain(letters: letters)?.fitted(to: 1_200).letters())
        #expect(paper.ink() * 2 < letters.ink())
    }

    @Test func `does not cut paper along a shadow that looks grained`() throws {
        let picture = try sheet(onGrain: true, .partlyShaded)
        let letters = try #require(picture.fitted(to: 1_200).letters())
        #expect(picture.paperOnGrain(letters: letters) == nil)
    }

    @Test func `does not remove the shaded part of the paper although its noise looks like letters`() throws {
        let picture = try sheet(onGrain: false, .mostlyShaded)
        let letters = try #require(picture.fitted(to: 1_200).letters())
        let lit = try #require(picture.paperAlone()?.fitted(to: 1_200).letters())
        #expect(lit.ink() * 2 < letters.ink())
        #expect(picture.paperOnGrain(letters: letters) == nil)
    }

    @Test func `keeps a background without shapes like letters`() throws {
        for picture in [try sheet(onGrain: false), try #require(drawnPicture(Self.receipt))] {
            let letters = try #require(picture.fitted(to: 1_200).letters())
            #expect(picture.paperOnGrain(letters: letters) == nil)
        }
    }

    @Test func `removes a dark woven background around the paper, but not a plain table`() throws {
        let woven = try sheet(onGrain: false, .onWeave)
        let letters = try #require(woven.fitted(to: 1_200).letters())
        let paper = try #require(woven.paperOnGrain(letters: letters))
        #expect(woven.withBytes { bytes, _ in bytes[0] < 90 } == true)
        #expect(paper.withBytes { bytes, _ in bytes[0] == 255 } == true)
        let texts = try PageReader().read(woven).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == Self.receipt.count, "\(texts)")

        let even = try sheet(onGrain: false)
        #expect(try even.paperOnGrain(letters: #require(even.fitted(to: 1_200).letters())) == nil)
    }

    @Test(arguments: [2, 2.5, 3] as [Float])
    func `reads a name above the lines in letters of each size`(factor: Float) throws {
        let lines = Self.receipt + Self.receipt + Self.receipt
        let picture = try #require(drawnPicture(lines, below: "DORFKORB", times: factor))
        let texts = try PageReader().read(picture).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == lines.count + 1, "\(texts)")
        #expect(texts.first == "DORFKORB", "\(texts)")
    }

    @Test func `ignores print around the paper if there is more of it than on a receipt`() throws {
        let lines = Self.receipt + Self.receipt
        let picture = try #require(drawnPicture(lines, amongLines: 150, of: "GESTERN IM DORF EIN FEST"))
        let texts = try PageReader().read(picture).page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == lines.count, "\(texts)")
        #expect(texts.first == "SUPERMARKT BERGER", "\(texts)")
    }

    @Test func `finds no paper in a picture that is filled by the paper`() throws {
        #expect(try #require(drawnPicture(Self.receipt)).paperAlone() == nil)
    }

    @Test func `keeps the prepared pages of the last pictures`() throws {
        let reader = try PageReader()
        let picture = try #require(drawnPicture(Self.receipt))
        let reading = reader.read(picture)
        let page = reader.printedPage(of: reading.picture)
        #expect(page === reader.printedPage(of: reading.picture))
        #expect(page.lines.count == Self.receipt.count)
        // Only two pages are kept, so reading two other pictures drops this one.
        for _ in 0..<2 { _ = reader.read(picture) }
        #expect(page !== reader.printedPage(of: reading.picture))
    }

    @Test func `reads every line in a quick reading, and reads the next file in full again`() throws {
        let reader = try PageReader()
        let picture = try #require(drawnPicture(Self.receipt)?.jpeg(quality: 90))
        let bytes = picture.withUnsafeBytes { [UInt8]($0) }
        let quick = try #require(try reader.read(bytes, isQuick: true).first).page
        let texts = quick.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == Self.receipt.count && texts.first == Self.receipt.first)
        #expect(quick.lines.allSatisfy { $0.secondEngineWords.isEmpty })
        // The next file is read in full again.
        #expect(try reader.read(bytes).first?.page.lines.count == Self.receipt.count)
        #expect(!reader.isQuick)
    }

    @Test func `rereads a place within a line as part of the line, and other places alone`() throws {
        let reader = try PageReader()
        let reading = reader.read(try #require(drawnPicture(Self.receipt)))
        let line = try #require(reading.page.lines.first { $0.words.contains { $0.text == "3,29" } })
        let amount = try #require(line.words.first { $0.text == "3,29" })
        var blank = amount.box
        blank.y = reading.page.height - 4
        blank.height = 4
        let answers = reader.reread(
            [amount.box, blank].map { RereadRequest(page: 0, box: $0, alphabet: .amount) }
                + [RereadRequest(page: 1, box: amount.box, alphabet: .amount)]
                + [RereadRequest(page: 0, box: amount.box, alphabet: .amountAlone)], on: [reading.picture])
        #expect(answers[0].readings.first?.text == "3,29")
        #expect(answers[1].readings.allSatisfy { $0.text != "3,29" })
        #expect(answers[2].readings.isEmpty)
        #expect(answers[3].readings.first?.text == "3,29")
    }
}
