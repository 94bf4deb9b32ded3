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

    @Test func `a stroke across two lines is not read as a line`() {
        let capital = 30
        let lines = [0, 50, 100].map { y in
            PrintedLine(pieces: [
                PixelBox(x: 20, y: y, width: 300, height: 32), PixelBox(x: 600, y: y, width: 90, height: 32),
            ])
        }
        let stroke = PrintedLine(pieces: [PixelBox(x: 605, y: 48, width: 85, height: 84)])
        let below = PrintedLine(pieces: [PixelBox(x: 20, y: 150, width: 300, height: 32)])
        #expect(stroke.isCovered(by: lines[1...].flatMap(\.pieces)))
        #expect(!stroke.isCovered(by: lines[2].pieces))
        #expect(!stroke.mayBeText(among: lines, capital: capital))
        #expect(below.mayBeText(among: lines, capital: capital))
    }
}
