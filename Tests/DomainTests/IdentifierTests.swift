import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct IdentifierTests {
    @Test func `reads and writes the text form`() {
        let text = "0190f3a1-7c2b-7def-8123-456789abcdef"
        let id = ReceiptID(text)
        #expect(id?.description == text)
        #expect(ReceiptID(text.uppercased()) == id)
        #expect(id.flatMap { ReceiptID(bytes: $0.bytes) } == id)
    }

    @Test(
        "refuses texts that are not the 36 characters of a UUID",
        arguments: [
            "", "0190f3a17c2b7def8123456789abcdef", "{0190f3a1-7c2b-7def-8123-456789abcdef}",
            "0190f3a1-7c2b-7def-8123-456789abcdeg", "0190f3a1 7c2b-7def-8123-456789abcdef",
            "0190f3a1-7c2b-7def-8123-456789abcde", "0190f3a1-7c2b-7def-8123-456789abcdef ",
            "+190f3a1-7c2b-7def-8123-456789abcdef", "٠190f3a1-7c2b-7def-8123-456789abcde",
        ])
    func refuses(text: String) {
        #expect(ProductID(text) == nil)
    }

    @Test func `new identifiers sort by time and have version and variant`() {
        var generator = SplitMix64(seed: 1)
        let early = StoreID(milliseconds: 1_700_000_000_000, using: &generator)
        let late = StoreID(milliseconds: 1_700_000_000_001, using: &generator)
        #expect(early < late)
        for id in [early, late] {
            let characters = Array(id.description)
            #expect(characters[14] == "7")
            #expect("89ab".contains(characters[19]))
        }
    }
}
