import Domain

extension Identifier {
    /// A new identifier, UUIDv7: ordered by the time it was made.
    package static func new() -> Self {
        var generator = SystemRandomNumberGenerator()
        return Self(milliseconds: UInt64(WallClock.microseconds() / 1000), using: &generator)
    }
}
