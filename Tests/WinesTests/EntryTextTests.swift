import Recognition
import Testing

@testable import Wines

/// The texts of entries without descriptions, and their parts.
@Suite(.timeLimit(.minutes(5))) struct EntryTextTests {
    @Test func `leaves short descriptions out of names, and reads the place at the beginning of a description`() {
        let entries = readList(
            """
            Stag's Leap, Karia Chardonnay           62
            napa valley, ca - baked apple, oak
            Velich, Tiglat                          78
            trocken ausgebaut
            Duckhorn, Decoy Merlot                  50
            sonoma county, ca - black cherry, spice
            """)
        #expect(
            entries.map(\.text) == ["Stag's Leap, Karia Chardonnay", "Velich, Tiglat", "Duckhorn, Decoy Merlot"])
        #expect(entries.map(\.country) == ["United States", nil, "United States"])
    }

    @Test func `splits a name at a comma before a quotation mark`() {
        let entries = readList(
            """
            Cristom "Cuvée," Willamette Valley 2020      $75
            Cayuse "Cailloux," Walla Walla 2017         $280
            """)
        #expect(entries.map(\.region) == ["Willamette Valley", "Walla Walla"])
        #expect(entries.map(\.name) == ["Cristom \"Cuvée,\"", "Cayuse \"Cailloux,\""])
    }

    @Test func `leaves the last line of a description out of names`() {
        let entries = readList(
            """
            Riesling Colette 2020, Weinbach                               72
            Elegant und tiefgründig mit Noten von Zitrusfrüchten, weißem
            Pfirsich und einem Hauch Feuerstein.

            Meursault 2019, Louis Jadot                                  125
            Cremig, buttrig und dennoch frisch, mit Aromen von gerösteten
            Haselnüssen.
            """)
        #expect(entries.map(\.text) == ["Riesling Colette 2020, Weinbach", "Meursault 2019, Louis Jadot"])
    }
}
