import Synchronization

/// A body held in memory.
final class StoredBody: BodySource {
    private let pieces: [[UInt8]]
    private let position = Atomic(0)

    init(_ pieces: [[UInt8]]) { self.pieces = pieces }

    func next() async throws(BodyError) -> [UInt8]? {
        let index = position.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < pieces.count ? pieces[index] : nil
    }

    func setPace(_ pace: BodyPace) {}
}
