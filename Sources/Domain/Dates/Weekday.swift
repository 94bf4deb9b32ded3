/// Days of the week, Monday first.
package enum Weekday: Int, Sendable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}

extension Weekday {
    /// `Montag`, `Monday`.
    package func name(_ language: Language) -> String {
        switch language {
        case .german:
            ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"][rawValue]
        case .english:
            ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][rawValue]
        }
    }
}
