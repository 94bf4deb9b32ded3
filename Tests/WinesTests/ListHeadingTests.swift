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

    @Test func `does not read two prices below the last name as a page number`() {
        let entries = read(
            """
            Riesling, Prager
            6 / 28

            Sauvignon, Tement
            7 / 33

            Merlot, Planeta
            8 / 36
            """)
        #expect(
            prices(entries) == [
                "glass - 600, bottle - 2800", "glass - 700, bottle - 3300", "glass - 800, bottle - 3600",
            ])
    }

    @Test func `does not read a short vintage in the last line as a page number`() {
        let entries = read(
            """
            Chablis, Fèvre          48
            ’18
            Sancerre, Vacheron      46
            ’19
            """)
        #expect(entries.map(\.vintage) == [2018, 2019])
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
