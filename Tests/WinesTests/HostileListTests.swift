import Recognition
import Testing

@testable import Wines

/// Pages that no restaurant prints. The time limit of the suite fails the test if reading them takes too long.
@Suite(.timeLimit(.minutes(5))) struct HostileListTests {
    /// A page of rows with the same texts above each other.
    private func page(_ rows: [[String]]) -> RecognizedPage {
        let lines = rows.enumerated().map { row, texts in
            RecognizedLine(
                words: texts.enumerated().map { column, text in
                    RecognizedWord(
                        text: text, box: PixelBox(x: column * 60, y: row * 30, width: 40, height: 20), confidence: 95)
                })
        }
        return RecognizedPage(source: .ocr, width: 10_000, height: 40_000, lines: lines)
    }

    @Test func `reads many price columns with many rows of heads in a short time`() {
        let prices = Array(repeating: ["Wein"] + (0..<199).map { "\(10 + $0 % 80),50" }, count: 400)
        let heads = Array(repeating: (0..<200).map { ["0,1l", "0,2l", "0,75l"][$0 % 3] }, count: 400)
        #expect(!WineList.read([page(prices + heads)]).isEmpty)
    }

    @Test func `reads a long description with many brackets that are not closed in a short time`() {
        let wines = Array(repeating: ["Zweigelt,", "Umathum", "2021", "34,00"], count: 2)
        let note = Array(
            repeating: ["mit", "feiner", "reifer", "Säure"] + Array(repeating: "(a", count: 190), count: 900)
        #expect(!WineList.read([page(wines + note)]).isEmpty)
    }

    @Test(arguments: [(20, 20), (90, 1)])
    func `reads an entry for each vintage only if their number is plausible`(count: Int, entries: Int) {
        let box = PixelBox(x: 0, y: 0, width: 40, height: 20)
        let name = ListToken(text: "Yquem", box: box, confidence: 95, kind: .word)
        let vintages = (0..<count).map { number in
            ListToken(
                text: String(1920 + number), box: box, confidence: 95, kind: .year(WineVintage(year: 1920 + number)))
        }
        let prices = Array(repeating: WineListPrice(amount: 9_000), count: count)
        #expect(VintagePrices.split([[name] + vintages], prices).count == entries)
    }
}
