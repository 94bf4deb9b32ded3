/// A time of day without time zone, to the second.
package struct LocalTime: Hashable, Comparable, Sendable {
    /// 0…86,399.
    package let secondOfDay: Int

    /// Nil outside 00:00:00…23:59:59.
    package init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        secondOfDay = hour * 3_600 + minute * 60 + second
    }

    /// Reads `14:28`, `14:28:10`, `9.05` and `14:28 Uhr`.
    package init?(parsing text: some StringProtocol) {
        guard text.utf8.count <= 16 else { return nil }
        var body = String(text).filter { $0 != " " && $0 != "\u{A0}" }
        if body.lowercased().hasSuffix("uhr") { body.removeLast(3) }
        let parts = body.split(separator: body.contains(":") ? ":" : ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, (1...2).contains(parts[0].utf8.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count else { return nil }
        self.init(hour: numbers[0], minute: numbers[1], second: numbers.count == 3 ? numbers[2] : 0)
    }

    /// 0…23.
    package var hour: Int { secondOfDay / 3_600 }
    /// 0…59.
    package var minute: Int { secondOfDay / 60 % 60 }
    /// 0…59; 0 when the receipt prints no seconds.
    package var second: Int { secondOfDay % 60 }

    package static func < (left: LocalTime, right: LocalTime) -> Bool { left.secondOfDay < right.secondOfDay }

    /// `14:28`.
    package var formatted: String { "\(padded(hour, 2)):\(padded(minute, 2))" }
    /// `14:28:10`.
    package var iso: String { "\(formatted):\(padded(second, 2))" }
}
