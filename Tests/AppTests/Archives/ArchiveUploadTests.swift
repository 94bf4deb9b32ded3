import Domain
import EventLoop
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ArchiveUploadTests {
    private final class Count: Sendable {
        let chunks = Atomic(0)
    }

    /// Runs `body` with the path of a new file and returns the files that are left in its folder.
    private static func leftFiles(_ body: @escaping @Sendable (String) async throws -> Void) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await onLoop { _ in try await body("\(folder)/a.tar") }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func `an upload stops when the disk becomes full, and leaves no file`() async throws {
        let sent = Count()
        let disk = try SlowWork()
        let files = try await Self.leftFiles { path in
            let upload = ArchiveUpload(path: path, disk: disk) { _ in
                // Another program fills the disk after the second chunk.
                ArchiveUpload.reserve + (sent.chunks.load(ordering: .relaxed) > 2 ? -1 : 1 << 30)
            }
            try upload.requireSpace(for: 1 << 30)
            #expect(throws: Refusal.self) { try upload.requireSpace(for: (1 << 30) + 1) }
            let refusal = await #expect(throws: Refusal.self) {
                try await upload.write {
                    sent.chunks.wrappingAdd(1, ordering: .relaxed)
                    return [UInt8](repeating: 1, count: ArchiveUpload.interval)
                }
            }
            #expect(refusal?.status == .insufficientStorage)
        }
        #expect(sent.chunks.load(ordering: .relaxed) == 3)
        #expect(files == [])
    }

    @Test func `an upload is complete when its last chunk has arrived`() async throws {
        let disk = try SlowWork()
        let files = try await Self.leftFiles { path in
            var chunks: [[UInt8]] = [[1, 2], [3]]
            try await ArchiveUpload(path: path, disk: disk).write {
                chunks.isEmpty ? nil : chunks.removeFirst()
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
        }
        #expect(files == ["a.tar"])
    }
}
