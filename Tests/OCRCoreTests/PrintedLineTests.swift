import Recognition
import Testing

@testable import OCRCore

@Suite(.timeLimit(.minutes(15))) struct PrintedLineTests {
    @Test func `a row of dashes and a bar code have a smaller word width than a line of print`() {
        let capital = 30
        let print = PrintedLine(pieces: [
            PixelBox(x: 20, y: 0, width: 240, height: 30), PixelBox(x: 290, y: 0, width: 90, height: 30),
            PixelBox(x: 640, y: 2, width: 120, height: 28),
        ])
        let dashes = PrintedLine(pieces: [PixelBox(x: 20, y: 60, width: 740, height: 24)])
        let barCode = PrintedLine(pieces: [PixelBox(x: 20, y: 120, width: 500, height: 90)])
        #expect(print.wordWidth(capital: capital) == 450)
        #expect(dashes.wordWidth(capital: capital) == 240)
        #expect(barCode.wordWidth(capital: capital) == 0)
    }
}
