import Recognition
import Testing

@testable import Wines

/// Columns of lists, prices and bin numbers.
@Suite(.timeLimit(.minutes(5))) struct ListColumnsTests {
    private func read(_ text: String) -> [WineListEntry] { WineList.read([listPage(text)]) }

    @Test func `reads a dash between producer and name as a part of the name`() {
        let entries = read(
            """
            Domaine Leflaive – Les Pucelles 2018        195,00
            Domaine Ramonet – Les Ruchottes 2019        180,00
            Château Figeac – Grand Vin 2014             240,00
            Château Clinet – Grand Vin 2016             160,00
            """)
        #expect(
            entries.map(\.text) == [
                "Domaine Leflaive – Les Pucelles 2018", "Domaine Ramonet – Les Ruchottes 2019",
                "Château Figeac – Grand Vin 2014", "Château Clinet – Grand Vin 2016",
            ])
        #expect(entries.map { $0.prices.map(\.amount) } == [[19_500], [18_000], [24_000], [16_000]])
    }
}
