import Domain

extension Money {
    /// Sums of several currencies, such as `189,81 € + 7,70 CHF`.
    static func listed(_ sums: [Money], _ language: Language) -> String {
        sums.map { $0.formatted(language) }.joined(separator: " + ")
    }
}
