import DocumentParsing
import Testing

@Test(.timeLimit(.minutes(5))) func `the built-in facts name twelve chains of Germany and Austria`() {
    for chain in [
        "REWE", "EDEKA", "Lidl", "Aldi", "Penny", "Billa", "Spar", "Hofer", "dm", "Bipa", "Müller", "Rossmann",
    ] {
        #expect(ChainFacts.builtIn.namings.contains { $0.chain == chain }, "\(chain)")
    }
}
