import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct DateTests {
    @Test(
        "reads the date formats of receipts and forms",
        arguments: [
            ("21.11.2026", "2026-11-21"), ("5.9.15", "2015-09-05"), ("5.09.15", "2015-09-05"),
            ("2026-11-21", "2026-11-21"), ("20210923", "2021-09-23"), ("21/11/2026", "2026-11-21"),
            (" 01. 02. 2024 ", "2024-02-01"), ("29.02.2024", "2024-02-29"), ("31.12.9999", "9999-12-31"),
        ])
    func reads(text: String, iso: String) {
        #expect(LocalDate(parsing: text)?.iso == iso)
    }

    @Test(
        "refuses days that do not exist",
        arguments: [
            "31.02.2026", "29.02.2025", "00.00.0000", "32.1.2024", "1.13.2024", "", "21.11", "2026-1-1", "1.1.26.5",
            "21.11.026", "21-11-2026", "٢١.١١.٢٠٢٦", "20261301", "1.1.", "heute", "-1.-1.2020", "2026-11-21T10:00",
        ])
    func refuses(text: String) {
        #expect(LocalDate(parsing: text) == nil)
    }

    @Test func `purchase days are between 2000 and tomorrow`() throws {
        let today = try #require(LocalDate(year: 2026, month: 11, day: 21))
        for (text, expected) in [
            ("31.12.1999", false), ("1.1.2000", true), ("21.11.2026", true), ("22.11.2026", true),
            ("23.11.2026", false), ("22.11.2027", false), ("1.1.1926", false), ("1.1.9999", false),
        ] {
            let day = try #require(LocalDate(parsing: text))
            #expect(day.isPlausiblePurchaseDay(asOf: today) == expected, "\(text)")
        }
    }

    @Test func `every day of four centuries follows the previous one`() throws {
        var day = try #require(LocalDate(year: 1899, month: 12, day: 31))
        #expect(day.weekday == .sunday)
        let end = try #require(LocalDate(year: 2300, month: 1, day: 1))
        while day < end {
            let next = day.adding(days: 1)
            let follows =
                next.day == day.day + 1 && next.month == day.month
                || next.day == 1 && next.month == day.month.next && day.day == day.month.dayCount
            guard follows, LocalDate(year: next.year, month: next.monthNumber, day: next.day) == next else {
                Issue.record("\(day.iso) → \(next.iso)")
                return
            }
            day = next
        }
        #expect(day.weekday == .monday)
    }

    @Test func `arithmetic is clamped to the years 1 to 9999`() {
        #expect(LocalDate.latest.iso == "9999-12-31")
        #expect(LocalDate.earliest.iso == "0001-01-01")
        #expect(LocalDate.firstPurchaseDay.iso == "2000-01-01")
        #expect(LocalDate.latest.adding(days: .max) == .latest)
        #expect(LocalDate.earliest.adding(days: .min) == .earliest)
    }

    @Test func `writes days in both languages, and reads, writes and shifts months`() throws {
        let day = try #require(LocalDate(parsing: "5.3.2026"))
        #expect(day.formatted() == "05.03.2026")
        #expect(day.formatted(.english) == "5 Mar 2026")
        #expect(day.weekday.name(.german) == "Donnerstag")
        #expect(day.month.iso == "2026-03")
        #expect(day.month.adding(-3) == Month(year: 2025, number: 12))
        #expect(Month(parsing: "2026-03") == day.month)
        #expect(Month(parsing: "2026-13") == nil)
        #expect(Month(parsing: "+026-01") == nil)
        #expect(Month(parsing: "2026-03", today: day) == day.month)
        #expect(Month(parsing: "2026-04", today: day) == nil)
        #expect(Month(parsing: "1999-12", today: day) == nil)
    }

    @Test(
        "reads the months that people type, and refuses others",
        arguments: [
            ("2026-11", "2026-11"), ("11/2026", "2026-11"), ("11.2026", "2026-11"), ("3.2026", "2026-03"),
            ("03 / 2026", "2026-03"), ("November 2026", "2026-11"), (" nov. 2026 ", "2026-11"),
            ("März 2026", "2026-03"),
            ("Mar 2026", "2026-03"), ("Oct 2026", "2026-10"), ("Dez 2026", "2026-12"), ("Jänner 2027", "2027-01"),
            ("13/2026", nil), ("0/2026", nil), ("11/26", nil), ("1.11.2026", nil), ("Ma 2026", nil), ("heuer", nil),
            ("Novembrist 2026", nil), ("+1/2026", nil), ("11/+026", nil), ("", nil), ("2026", nil),
        ] as [(String, String?)])
    func readsTypedMonth(text: String, iso: String?) {
        #expect(Month(entered: text)?.iso == iso)
    }

    @Test(
        "reads times to the second and refuses impossible ones",
        arguments: [
            ("14:28", "14:28:00"), ("14:28:10", "14:28:10"), ("9.05", "09:05:00"), ("14:28 Uhr", "14:28:00"),
            ("25:61", nil), ("24:00", nil), ("14", nil), ("14:2", nil), ("", nil), ("1:2:3:4", nil), ("aa:bb", nil),
        ] as [(String, String?)])
    func times(text: String, iso: String?) {
        #expect(LocalTime(parsing: text)?.iso == iso)
    }
}
