import Domain
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct UploadSlotTests {
    @Test(.database) func `photos are received only while few uploads are in memory`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let work = try SlowWork()
            let scanning = WineScanning(
                database: harness.database, catalogues: WineCatalogues(harness.database, work),
                readers: ListReaders(try AppHarness.config()), frames: FrameLimiter(), slowWork: work)
            let member = Member(
                household: anna.household, person: anna.person, name: "Anna", role: .owner, language: .german,
                country: .austria, zone: nil, session: .new(), csrfSecret: [])
            func holdUploads(_ count: Int, of household: HouseholdID? = nil) async throws {
                if count > 0 {
                    return try await scanning.readers.withUploadSlot(for: household ?? .new()) {
                        try await holdUploads(count - 1, of: household)
                    }
                }
                await #expect(throws: Refusal.self) {
                    _ = try await scanning.photos(member) {
                        Issue.record("a photo was received")
                        return []
                    }
                }
            }
            try await holdUploads(ListReaders.maximumUploads)
            // A household that holds its maximum number of slots gets no further one.
            try await holdUploads(ListReaders.maximumUploadsOfHousehold, of: anna.household)
            // All slots are free again.
            let result = try await scanning.photos(member) { [] }
            #expect(result?.entries.count == nil)
        }
    }
}
