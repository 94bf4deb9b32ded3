import Recognition
import Testing

@testable import OCRCore

/// Words with given confidences, 100 px apart.
private func words(_ texts: (String, Int)...) -> [RecognizedWord] {
    texts.enumerated().map { index, text in
        RecognizedWord(
            text: text.0, box: PixelBox(x: index * 100, y: 0, width: 80, height: 30), confidence: text.1)
    }
}

@Suite(.timeLimit(.minutes(15))) struct PrintedAmountTests {
    @Test(arguments: [
        ("MILCH 1,19 A", "1,19"), ("0,55 € x 2 1,10 AW", "1,10"), ("PFAND 0, 25", "0,25"), ("LEERGUT -0,75 A", "-0,75"),
        ("TOTAL 12.07", "12,07"), ("x2,48B", "2,48"),
    ])
    func `finds the last amount of a line, even with a blank after the comma`(line: String, amount: String) {
        let foundAmount = PrintedAmount.last(in: line.split(separator: " ").map { word(String($0)) })
        #expect(foundAmount?.text == amount)
    }

    @Test(arguments: ["07.10.2025", "1,434 kg", "DE 123", "MILCH 3,5%", "v1.22.3"])
    func `finds no amount in dates, weights, percentages, version numbers and whole numbers`(line: String) {
        #expect(PrintedAmount.last(in: line.split(separator: " ").map { word(String($0)) }) == nil)
    }

    private func word(_ text: String) -> RecognizedWord {
        RecognizedWord(text: text, box: PixelBox(x: 0, y: 0, width: 10, height: 10), confidence: 90)
    }
}

@Suite(.timeLimit(.minutes(15))) struct LineReadingsTests {
    @Test func `reads a line once if the confidence is high`() {
        var readings = LineReadings()
        #expect(readings.needsAnotherReading)
        readings.add(words(("MILCH", 92), ("1,19", 90)), covered: 95)
        #expect(!readings.needsAnotherReading)
    }

    @Test func `reads an uncertain price again, and a third time if the first two readings differ`() {
        var readings = LineReadings()
        readings.add(words(("MILCH", 92), ("1,19", 70)), covered: 95)
        #expect(readings.needsAnotherReading)
        readings.add(words(("MILCH", 92), ("7,19", 75)), covered: 95)
        #expect(readings.needsAnotherReading)
        readings.add(words(("MILCH", 92), ("1,19", 60)), covered: 95)
        #expect(!readings.needsAnotherReading)
    }

    @Test(arguments: [("2,5", true), ("3,°0", true), ("7,0%", false), ("KL,", false), ("12345", false)])
    func `reads a price again if it lost a digit, but not a percentage`(last: String, again: Bool) {
        var readings = LineReadings()
        readings.add(words(("MILCH", 92), (last, 92), ("A", 95)), covered: 95)
        #expect(readings.needsAnotherReading == again)
    }

    @Test func `stops after two equal readings`() {
        var readings = LineReadings()
        readings.add(words(("MILCH", 92), ("1,19", 70)), covered: 95)
        readings.add(words(("MILCH", 92), ("1,19", 65)), covered: 95)
        #expect(!readings.needsAnotherReading)
    }

    @Test func `takes the amount by majority, the name by confidence, and keeps other readings as alternatives`() {
        var readings = LineReadings()
        readings.add(words(("MILCH", 95), ("7,19", 70)), covered: 100)
        readings.add(words(("MlLCH", 40), ("1,19", 50)), covered: 100)
        readings.add(words(("NILCH", 45), ("1,19", 45)), covered: 100)
        let mergedReadings = readings.merged()
        #expect(mergedReadings.map(\.text) == ["MILCH", "1,19"])
        #expect(mergedReadings.last?.alternatives == ["7,19"])
    }

    @Test func `keeps the other characters of a word whose amount is replaced`() {
        var readings = LineReadings()
        readings.add(words(("MILCH", 95), ("€7,19A", 60)), covered: 100)
        readings.add(words(("MILCH", 60), ("1,19", 90)), covered: 100)
        #expect(readings.merged().map(\.text) == ["MILCH", "€1,19A"])
    }

    @Test func `inserts an amount that only another reading has`() {
        var readings = LineReadings()
        readings.add(words(("MILCH", 95), ("l.l9", 60)), covered: 100)
        readings.add(words(("MI", 50), ("1,19", 60)), covered: 100)
        #expect(readings.merged().map(\.text) == ["MILCH", "1,19"])
    }

    @Test func `prefers a reading that covers more of the ink`() {
        var readings = LineReadings()
        readings.add(words(("EUR", 95), ("9,74", 94)), covered: 55)
        #expect(readings.needsAnotherReading)
        readings.add(words(("SUMME", 85), ("EUR", 85), ("9,74", 85)), covered: 98)
        #expect(readings.merged().map(\.text) == ["SUMME", "EUR", "9,74"])
    }

    @Test(arguments: [
        ("ı SCREEN 1R", 40, true), ("ı SCREEN ER", 40, false), ("1 Stk x", 70, false), ("DB 21.04.2020", 40, false),
    ])
    func `recognises noise in a line with digits, low confidence and no date`(
        line: String, certainty: Int, isNoise: Bool
    ) {
        var readings = LineReadings()
        for _ in 0..<2 {
            readings.add(
                line.split(separator: " ").map { word(String($0), certainty, width: 20 * $0.count) }, covered: 100)
        }
        #expect(readings.isNoise == isNoise)
    }

    @Test func `recognises noise in two letters that are as wide as eight letters`() {
        for (width, isNoise) in [(60, false), (248, true)] {
            var readings = LineReadings()
            for _ in 0..<2 { readings.add([word("re", 31, width: width)], covered: 100) }
            #expect(readings.isNoise == isNoise)
        }
    }

    @Test func `takes a final reading only if its confidence is much higher`() {
        for (certainty, text) in [(50, "1 SCREEN"), (88, "1 Stk x 3,19")] {
            var readings = LineReadings()
            readings.add([word("1 SCREEN", 40, width: 300)], covered: 100)
            readings.replaceIfMoreCertain([word("1 Stk x 3,19", certainty, width: 300)], covered: 100)
            #expect(readings.merged().map(\.text) == [text])
        }
    }

    private func word(_ text: String, _ confidence: Int, width: Int) -> RecognizedWord {
        RecognizedWord(text: text, box: PixelBox(x: 0, y: 0, width: width, height: 45), confidence: confidence)
    }

    @Test func `returns no words if nothing was read`() {
        var readings = LineReadings()
        readings.add([], covered: 0)
        #expect(readings.merged().isEmpty)
    }

    @Test func `splits words at underscores that were read instead of narrow blanks`() {
        let word = RecognizedWord(
            text: "PFAND_0,25", box: PixelBox(x: 100, y: 5, width: 100, height: 30), confidence: 80)
        #expect(word.partsBetweenUnderscores.map(\.text) == ["PFAND", "0,25"])
        #expect(word.partsBetweenUnderscores.map(\.box.x) == [100, 160])
        let code = RecognizedWord(text: "_R1-AT1_K1_7_", box: word.box, confidence: 80)
        #expect(code.partsBetweenUnderscores == [code])
    }

    @Test func `measures how much of the ink is covered by words`() {
        let line = PrintedLine(pieces: [
            PixelBox(x: 0, y: 0, width: 100, height: 30), PixelBox(x: 200, y: 0, width: 100, height: 30),
        ])
        #expect(line.covered(by: [word(200, 100)]) == 50)
        #expect(line.covered(by: [word(0, 100), word(200, 100)]) == 100)
        #expect(line.covered(by: [word(0, 60), word(20, 80), word(190, 130)]) == 100)
    }

    private func word(_ x: Int, _ width: Int) -> RecognizedWord {
        RecognizedWord(text: "A", box: PixelBox(x: x, y: 0, width: width, height: 30), confidence: 90)
    }
}

@Suite(.timeLimit(.minutes(15))) struct AmountsBesideLettersTests {
    @Test func `separates a negative amount from letters if another reading does`() {
        var readings = LineReadings()
        readings.add(
            [word("LEERG", 0, 90, 50), word("ST", 100, 40, 40), word("-1,50", 150, 80, 71)], covered: 95)
        readings.add([word("LEERG", 0, 90, 95), word("ST-1,50", 100, 130, 60)], covered: 95)
        #expect(readings.merged().map(\.text) == ["LEERG", "ST", "-1,50"])
        #expect(readings.merged().map(\.box.x) == [0, 100, 150])
    }

    @Test func `keeps letters that every reading has before an amount`() {
        var readings = LineReadings()
        readings.add([word("ST-1,50", 100, 130, 70)], covered: 95)
        readings.add([word("ST-1,50", 100, 130, 60)], covered: 95)
        #expect(readings.merged().map(\.text) == ["ST-1,50"])
    }

    @Test func `reads a line a fourth time if both readings of the softened picture differ from the first`() {
        var readings = LineReadings()
        for (amount, confidence) in [("0,25", 79), ("6,25", 72), ("6,25", 70)] {
            #expect(readings.needsAnotherReading)
            readings.add([word("PFAND", 0, 90, 80), word(amount, 200, 60, confidence)], covered: 95)
        }
        #expect(readings.needsAnotherReading)
        readings.add([word("PFAND", 0, 90, 80), word("0,25", 200, 60, 91)], covered: 95)
        #expect(!readings.needsAnotherReading)
        #expect(readings.merged().map(\.text) == ["PFAND", "0,25"])
    }

    @Test func `reads a long line with very low confidence a third time, but not a short one`() {
        for (text, again) in [("WEIDEMILCH270-B", true), ("wre4", false)] {
            var readings = LineReadings()
            readings.add([word(text, 0, 200, 20)], covered: 95)
            readings.add([word(text, 0, 200, 10)], covered: 95)
            #expect(readings.needsAnotherReading == again)
        }
    }

    private func word(_ text: String, _ x: Int, _ width: Int, _ confidence: Int) -> RecognizedWord {
        RecognizedWord(text: text, box: PixelBox(x: x, y: 0, width: width, height: 30), confidence: confidence)
    }
}
