import DocumentParsing
import Testing

@Test(.timeLimit(.minutes(5))) func `Loads the built-in facts with the chains of Germany and Austria`() {
    for chain in [
        "REWE", "EDEKA", "Lidl", "Aldi", "Penny", "Billa", "Spar", "Hofer", "dm", "Bipa", "Müller", "Rossmann",
    ] {
        #expect(ChainFacts.builtIn.namings.contains { $0.chain == chain }, "\(chain)")
    }
}
