import CTesseract
import Recognition
import Testing

@testable import OCRCore

/// Light print on dark paper.
@Suite(.serialized, .timeLimit(.minutes(15))) struct LightPrintTests {
    private static let list = [
        "ROTWEINE", "BOLLINI MERLOT   42,00", "DAOU CABERNET   81,00", "TOMMASI AMARONE   65,00",
        "ELOUAN PINOT   48,00",
    ]

    @Test(arguments: [false, true]) func `reads dark and light print`(isNegative: Bool) throws {
        let drawn = try #require(drawnPicture(Self.list))
        let negative = try #require(Raster(pixInvert(nil, drawn.pix)))
        let picture = isNegative ? negative : drawn
        let reading = try PageReader().readDarkOrLight(picture)
        let texts = reading.page.lines.map { $0.words.map(\.text).joined(separator: " ") }
        #expect(texts.count == Self.list.count)
        #expect(texts.contains { $0.hasPrefix("TOMMASI") && $0.hasSuffix("65,00") })
        // The picture that is shown has the original brightness.
        var median: UInt32 = 0
        #expect(pixGetRankValue(reading.picture.pix, 4, 0.5, &median) == 0)
        #expect((median < 128) == isNegative)
    }
}
