import Domain
import EventLoop

/// A time zone of the system's time zone database.
package struct TimeZone: Sendable {
    /// The IANA name, such as `Europe/Vienna`.
    let name: String
    let offsets: ZoneOffsets

    /// Returns nil for an unknown name. Each zone is read once.
    static func named(_ name: String) -> TimeZone? {
        if let known = cache.find(name) { return known }
        guard WallClock.databaseZone(name) != nil,
            let bytes = FileContent.read("/usr/share/zoneinfo/\(name)", limit: 65_536),
            let offsets = ZoneOffsets(tzif: bytes)
        else { return nil }
        let zone = TimeZone(name: name, offsets: offsets)
        cache.put(zone)
        return zone
    }

    private static let cache = Cache()

    private final class Cache: @unchecked Sendable {
        // Safe to share: all properties are accessed under the lock.
        private let lock = Lock()
        private var zones: [String: TimeZone] = [:]

        func find(_ name: String) -> TimeZone? { lock.withLock { zones[name] } }

        func put(_ zone: TimeZone) { lock.withLock { zones[zone.name] = zone } }
    }
}
