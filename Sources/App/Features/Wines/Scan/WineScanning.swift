import Domain
import EventLoop
import HTTP
import Recognition
import Wines

/// Reads pictures of wine lists and matches the entries with wines. Stores usage counters only.
struct WineScanning: Sendable {
    let database: Database
    let catalogues: WineCatalogues
    let readers: ListReaders
    let frames: FrameLimiter
    let slowWork: SlowWork

    static let maximumFiles = 10
    /// The maximum total size of a scan's pictures, in bytes.
    static let maximumBytes = 40 << 20
    /// The maximum size of a frame, in bytes: about ten times the size of a JPEG with a long side of 1,280 pixels.
    static let maximumFrameBytes = 2 << 20

    /// Receives and reads photos.
    ///
    /// - Parameter receive: returns the photos; not called if too many uploads are already in memory.
    /// - Returns: nil if there are no photos.
    /// - Throws: `WineQuotaError`, `UploadRefusal`, `ReaderFailure`, `Refusal`; the errors of `receive`.
    func photos(
        _ member: Member, key: KeyID? = nil, receive: () async throws -> [[UInt8]]
    ) async throws -> MatchedList? {
        try await readers.withUploadSlot(for: member.household) {
            let files = try await receive()
            return files.isEmpty ? nil : try await photos(files, member, key: key)
        }
    }

    private func photos(_ files: [[UInt8]], _ member: Member, key: KeyID?) async throws -> MatchedList {
        try await inspect(files, member.household)
        let scan = try await WinePlan.countScan(isLive: false, key: key, member.household, database)
        return try await read(files, scan, isLive: false, member)
    }

    /// - Throws: `WineQuotaError`, `UploadRefusal`, `ReaderFailure`, `Refusal`.
    func frame(_ file: [UInt8], _ member: Member, key: KeyID? = nil) async throws -> MatchedList {
        try await frames.run(member.person) {
            try await inspect([file], member.household)
            let scan = try await WinePlan.countScan(isLive: true, key: key, member.household, database)
            return try await read([file], scan, isLive: true, member)
        }
    }

    /// Refuses files that are not pictures, and counts a scan with such a file as unreadable.
    private func inspect(_ files: [[UInt8]], _ household: HouseholdID) async throws {
        do {
            for file in files {
                _ = try UploadInspection.mediaType(of: Array(file.prefix(UploadInspection.prefixBytes)))
            }
        } catch {
            try await WineCounters.add([.errors: 1], household, database)
            throw error
        }
    }

    /// Matches a list that was read before, for example to show it with another filter.
    func match(_ list: ScannedList, _ household: HouseholdID) async throws -> MatchedList {
        try await MatchedList.make(list, household, catalogues, database, slowWork)
    }

    private func read(
        _ files: [[UInt8]], _ scan: WinePlan.CountedScan, isLive: Bool, _ member: Member
    ) async throws -> MatchedList {
        let list: ScannedList
        do {
            let document = try await readers.read(files, isLive: isLive)
            list = try await slowWork.run { ScannedList(document) }
        } catch let refusal as Refusal {
            // No reader is free, or the machine is overloaded.
            try await WinePlan.subtractFromCounters(scan, member.household, database)
            throw refusal
        } catch {
            try await WineCounters.add([.frames: isLive ? 1 : 0, .errors: 1], member.household, database)
            throw error
        }
        let matched = try await match(list, member.household)
        try await WineCounters.add(
            [
                .frames: isLive ? 1 : 0, .entries: list.entries.count,
                .found: matched.entries.count { $0.wine != nil },
            ], member.household, database)
        return matched
    }
}
