import Domain
import Testing

@testable import DocumentParsing

/// Receipt words and store chains that a household adds to the built-in ones.
@Suite(.timeLimit(.minutes(5))) struct `Facts of a household` {
    private static let receipt = """
        DORFKAUF
        Hauptplatz 1
        4780 Schärding
        Milch 1L                  1,49
        Brot                      2,50
        Endlich fertig            3,99
        07.03.2026 10:12
        """

    private static let own = """
        # The village's shop.
        total: ENDLICH FERTIG
        name: Dorfkauf Genossenschaft
        logo: DORFKAUF
        """

    private func read(_ facts: ChainFacts) -> ParsedReceipt {
        ReceiptParser(facts: facts, today: Layout.today).parse(Layout.document(Self.receipt))
    }

    @Test func `adds the household's words and chains to the built-in facts`() throws {
        let facts = ChainFacts.builtIn.adding(try ChainFacts(parsing: Self.own))
        #expect(read(.builtIn).total?.value.figure() != "3,99")
        let receipt = read(facts)
        #expect(receipt.total?.value.figure() == "3,99")
        #expect(receipt.chain == "Dorfkauf Genossenschaft")
        #expect(facts.phrases[.total]!.count == ChainFacts.builtIn.phrases[.total]!.count + 1)
        #expect(facts.namings.count == ChainFacts.builtIn.namings.count + 1)
    }

    @Test func `adds to a known chain without removing its facts`() throws {
        let facts = ChainFacts.builtIn.adding(
            try ChainFacts(parsing: "name: REWE\ntext: REWE HUBER OHG\nquantity: above"))
        let before = try #require(ChainFacts.builtIn.chains.first { $0.name == "REWE" })
        let after = try #require(facts.chains.first { $0.name == "REWE" })
        #expect(facts.chains.count == ChainFacts.builtIn.chains.count)
        #expect(after.texts.count == before.texts.count + 1 && after.logos.count == before.logos.count)
        #expect(before.quantity == .below && after.quantity == .above)
        #expect(after.vatNumbers == before.vatNumbers)
    }

    @Test func `parses the text of the built-in facts to the same facts`() throws {
        let again = try ChainFacts(parsing: ChainFacts.builtInText)
        #expect(again.chains.map(\.name) == ChainFacts.builtIn.chains.map(\.name))
        #expect(again.phrases.mapValues(\.count) == ChainFacts.builtIn.phrases.mapValues(\.count))
    }
}
