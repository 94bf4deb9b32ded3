import Testing

@testable import OCRCore

/// Readings computed from the probabilities of a network.
@Suite(.timeLimit(.minutes(15))) struct NetworkReadingTests {
    /// Digits, some letters and signs, and look-alikes from other scripts.
    private static let list = (["あ"] + "0123456789,.-ABOl€é".map { String($0) } + ["，", "—", "中"]).joined(
        separator: "\n")

    private static func alphabet() throws -> NetworkAlphabet { try #require(NetworkAlphabet(list: list)) }

    /// A lattice of steps. Each has these characters with their probabilities, and the blank symbol with the remaining
    /// probability. The blank symbol means that the network reads no character.
    private static func lattice(_ steps: [[(Character, Float)]]) throws -> CharacterLattice {
        let alphabet = try alphabet()
        let names = list.split(separator: "\n").map { Character(String($0)) } + [" "]
        var probabilities = [Float](repeating: 0, count: steps.count * alphabet.outputCount)
        for (step, characters) in steps.enumerated() {
            probabilities[step * alphabet.outputCount] = 1 - characters.reduce(0) { $0 + $1.1 }
            for (character, probability) in characters {
                let output = try #require(names.firstIndex(of: character)) + 1
                probabilities[step * alphabet.outputCount + output] = probability
            }
        }
        return CharacterLattice(alphabet: alphabet, stepCount: steps.count, probabilities: probabilities)
    }

    private static func readings(
        _ lattice: CharacterLattice, _ pattern: some TextPattern, count: Int = 4
    ) -> [ScoredReading] {
        ReadingSearch(lattice, pattern, width: 16).readings(in: 0..<lattice.stepCount, count: count)
    }

    @Test func `drops characters of other scripts, and counts look-alikes as one character`() throws {
        let alphabet = try Self.alphabet()
        #expect(alphabet.outputCount == 25)
        #expect(alphabet.number(of: "中") == nil && alphabet.number(of: "é") != nil && alphabet.number(of: " ") != nil)
        let lattice = try Self.lattice([[("，", 0.4), (",", 0.3)], [("—", 0.9)]])
        #expect(lattice.likeliestPath().map(\.scalar) == [",", "-"])
        #expect(abs((lattice.likeliestPath().first?.probability ?? 0) - 0.7) < 0.001)
    }

    @Test(arguments: ["", "\n\n", "あ\nい\n中"]) func `refuses a list without digits`(list: String) {
        #expect(NetworkAlphabet(list: list) == nil)
    }

    @Test func `reads a character in consecutive steps once, and twice if the blank symbol is between`() throws {
        let sure: [(Character, Float)] = [("9", 0.98)]
        let lattice = try Self.lattice([sure, sure, [], sure])
        #expect(lattice.likeliestPath().map(\.steps) == [0..<2, 3..<4])
        #expect(Self.readings(lattice, AnyText()).first?.text == "99")
        let one = try Self.lattice([sure, sure, sure])
        #expect(Self.readings(one, AnyText()).first?.text == "9")
    }

    @Test func `computes costs from the probabilities of all alignments`() throws {
        let lattice = try Self.lattice([[("1", 0.5)], [("1", 0.5)]])
        let readings = Self.readings(lattice, AnyText())
        // "1" has 3 of 4 alignments, "" has 1; −100 × ln ¾ is 29. "11" needs the blank symbol between.
        #expect(readings == [ScoredReading(text: "1", cost: 29), ScoredReading(text: "", cost: 139)])
    }

    @Test func `finds the most likely amounts`() throws {
        let lattice = try Self.lattice([
            [("O", 0.6), ("0", 0.3)], [], [(",", 0.9)], [], [("9", 0.7), ("8", 0.2)], [], [("9", 0.99)],
        ])
        #expect(Self.readings(lattice, AnyText()).first?.text == "O,99")
        let amounts = Self.readings(lattice, AmountPattern())
        #expect(amounts.map(\.text).prefix(2) == ["0,99", "0,89"])
        #expect(amounts[0].cost < amounts[1].cost)
    }

    @Test func `keeps costs in their range despite invalid probabilities`() throws {
        let alphabet = try Self.alphabet()
        for invalid in [Float.nan, .infinity, -.infinity, -3, 1e30, 0] {
            let lattice = CharacterLattice(
                alphabet: alphabet, stepCount: 5,
                probabilities: [Float](repeating: invalid, count: 5 * alphabet.outputCount))
            _ = lattice.likeliestPath()
            for reading in Self.readings(lattice, AnyText()) + Self.readings(lattice, AmountPattern()) {
                #expect((0...65_535).contains(reading.cost))
            }
        }
    }

    private static func isAmount(_ text: String) -> Bool {
        var state: Int? = 0
        for scalar in text.unicodeScalars { state = state.flatMap { AmountPattern().next($0, scalar) } }
        return state.map(AmountPattern().isComplete) ?? false
    }

    @Test(arguments: [
        "1,99", "0.35", "-0,25", "12,49 A", "0,45-V", "0,45-", "1.275,92", "2,15 AW", "0,99 €", "1,99B", "9999,00",
        "0,25- D",
        "1,29 2",
    ]) func `accepts amounts in the forms that tills print`(text: String) {
        #expect(Self.isAmount(text))
    }

    @Test(arguments: [
        "", "199", "1,9", "1,999", "01,99", "1,99 12", "A1,99", "1,99X", "--1,99", "12345,00", ",99", "1,2.3,99",
        "1,992",
    ]) func `reads no amount from a text that does not have the form of an amount`(text: String) {
        #expect(!Self.isAmount(text))
    }
}
