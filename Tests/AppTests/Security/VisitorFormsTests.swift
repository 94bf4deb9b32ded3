import EventLoop
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import App

/// Forms of visitors without a session, who can open any number of connections.
@Suite(.timeLimit(.minutes(5))) struct VisitorFormsTests {
    /// A body that waits until it is released, and then sends one field.
    private final class HeldBody: BodySource {
        private let isHeld = Atomic(true)
        private let isRead = Atomic(false)

        var hasReader: Bool { isRead.load(ordering: .relaxed) }
        func release() { isHeld.store(false, ordering: .relaxed) }

        func next() async throws(BodyError) -> [UInt8]? {
            guard !isRead.exchange(true, ordering: .relaxed) else { return nil }
            while isHeld.load(ordering: .relaxed) { await EventLoop.current?.sleep(for: .milliseconds(1)) }
            return Array("a=b".utf8)
        }

        func setPace(_ pace: BodyPace) {}
    }

    private static let head = RequestHead(
        method: .post, headers: ["Content-Type": "application/x-www-form-urlencoded"])

    private static func read(_ forms: VisitorForms, _ length: Int?, _ source: any BodySource) async throws -> String? {
        try await forms.read(
            head, RequestBody(declaredLength: length, source: source), maximumBytes: 800_000, maximumFields: 16)["a"]
    }

    @Test func `reads only a few large forms at a time, and small forms always`() async throws {
        try await onLoop { loop in
            let forms = VisitorForms()
            let held = (0..<VisitorForms.maximumLarge).map { _ in HeldBody() }
            try await withThrowingTaskGroup(of: String?.self) { group in
                for (index, source) in held.enumerated() {
                    // A body of unknown length counts as large.
                    group.addTask(executorPreference: loop) {
                        try await Self.read(forms, index == 0 ? nil : 700_000, source)
                    }
                }
                while !held.allSatisfy(\.hasReader) { await loop.sleep(for: .milliseconds(1)) }
                let free = HeldBody()
                free.release()
                let refusal = await #expect(throws: Refusal.self) { try await Self.read(forms, 65_537, free) }
                #expect(refusal?.status == .serviceUnavailable && !free.hasReader)
                #expect(try await Self.read(forms, 65_536, free) == "b")
                for source in held { source.release() }
                for try await value in group { #expect(value == "b") }
            }
            let next = HeldBody()
            next.release()
            #expect(try await Self.read(forms, 700_000, next) == "b")
        }
    }
}
