import Domain

/// Days printed with slashed zeros, which are read as eights: `87.89.2824` is 07.09.2024.
enum SlashedZeros {
    /// The only day of a purchase that some zeros for eights make; nil where there is none or several.
    static func day(_ text: ArraySlice<Unicode.Scalar>, asOf today: LocalDate) -> LocalDate? {
        let groups = text.split(separator: ".", omittingEmptySubsequences: false)
        guard groups.count == 3, groups[0].count == 2, groups[1].count == 2, [2, 4].contains(groups[2].count),
            groups.joined().allSatisfy(\.isDigit)
        else { return nil }
        let digits = groups.joined().map(\.digitValue)
        let eights = digits.indices.filter { digits[$0] == 8 }
        var found: Set<LocalDate> = []
        for mask in 1..<(1 << eights.count) {
            var other = digits
            for (bit, place) in eights.enumerated() where mask & (1 << bit) != 0 { other[place] = 0 }
            let year = Int(other[4...].reduce(0) { $0 * 10 + $1 })
            guard
                let day = LocalDate(
                    year: digits.count == 6 ? 2_000 + year : year, month: Int(other[2] * 10 + other[3]),
                    day: Int(other[0] * 10 + other[1])), day.isPlausiblePurchaseDay(asOf: today)
            else { continue }
            found.insert(day)
        }
        return found.count == 1 ? found.first : nil
    }
}
