import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct PackageSizeJoiningTests {
    /// Parses periods such as `01:500`: 500 g from the first of the month on.
    private func periods(_ text: String) -> [PackageSizePeriod] {
        text.split(separator: " ").map { part in
            let pair = part.split(separator: ":")
            return PackageSizePeriod(
                from: day(pair[0]), size: Quantity(thousandths: Int64(pair[1]).map { $0 * 1_000 } ?? 0, unit: .gram))
        }
    }

    private func day(_ text: some StringProtocol) -> LocalDate { LocalDate(parsing: "2026-03-\(text)") ?? .latest }

    private func days(_ text: String) -> [LocalDate] { text.split(separator: " ").map { day($0) } }

    @Test(
        "joining keeps the size on every day of purchase",
        arguments: [
            // The periods of this product, the days on which it was bought, the purchases of the joined product (each
            // with day and size), and the periods to add.
            ("01:500", "02", "10:400 12:400", "10:400"), ("10:400", "10 12", "02:500", "02:500"),
            ("01:400", "10", "02:500 03:500", "02:500 10:400"), ("01:500", "02", "10:500", ""),
            ("01:500", "02 20", "10:400", "10:400 20:500"), ("01:500", "10", "10:400", ""),
            ("01:500 15:400", "02 16", "10:450 20:450", "10:450 20:450"),
            ("10:400", "05 12", "07:500", "05:400 07:500"),
            ("01:500", "02", "", ""), ("", "02", "10:400", ""),
        ])
    func joins(own: String, bought: String, joining: String, added: String) {
        let own = periods(own)
        let joining = periods(joining)
        let foundPeriods = own.periods(joining: joining, keeping: days(bought))
        #expect(foundPeriods == periods(added))
        let all = own.filter { period in !foundPeriods.contains { $0.from == period.from } } + foundPeriods
        for day in days(bought) { #expect(all.size(on: day) == own.size(on: day)) }
    }

    @Test func `ignores sizes with another base unit`() {
        let tenPieces = [PackageSizePeriod(from: day("10"), size: .pieces(10))]
        #expect(periods("01:500").periods(joining: tenPieces, keeping: []) == [])
    }

    @Test(
        "removes the periods that contain only removed purchases",
        arguments: [
            ("01:500 10:400", "10 12", "02", "10"), ("01:500 10:400 20:500", "10", "02 20", "10 20"),
            ("01:500 10:400", "10", "02 12", ""), ("01:400", "10", "", ""), ("01:500 10:400", "", "02", ""),
            ("02:500 10:400", "02", "10", "02"),
        ])
    func removesPeriods(own: String, leaving: String, bought: String, ending: String) {
        #expect(periods(own).periodsToRemove(leaving: days(leaving), keeping: days(bought)) == days(ending))
    }

    @Test(
        "keeps the periods of the given days",
        arguments: [
            ("01:500 10:400", "10 12", "02", "10", ""), ("01:500 10:400 20:500", "10", "02 20", "10", ""),
            ("01:500 10:400 20:500", "10", "02 20", "20", "10"),
        ])
    func keepsPeriods(own: String, leaving: String, bought: String, staying: String, ending: String) {
        let foundPeriods = periods(own).periodsToRemove(
            leaving: days(leaving), keeping: days(bought), staying: Set(days(staying)))
        #expect(foundPeriods == days(ending))
    }
}
