import Recognition
import Testing

@testable import Wines

/// Headings, page numbers and lines of entries that look alike.
@Suite(.timeLimit(.minutes(5))) struct ListHeadingTests {
    private func read(_ text: String) -> [WineListEntry] { WineList.read([listPage(text)]) }

    private func prices(_ entries: [WineListEntry]) -> [String] {
        entries.map { entry in
            entry.prices.map { "\($0.serving) \($0.size.map(String.init) ?? "-") \($0.amount)" }.joined(separator: ", ")
        }
    }

    @Test func `does not read the parts of a date as prices`() {
        let entries = read(
            """
            Gavi, La Scolca 2021              38
            Soave, Pieropan 2022              34

            Stand 12/05/2024
            """)
        #expect(prices(entries) == ["bottle - 3800", "bottle - 3400"])
    }
}
