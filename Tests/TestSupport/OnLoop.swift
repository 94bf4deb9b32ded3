import EventLoop
import Testing

/// Runs `body` as a task of a new event loop, like a request, and stops the loop afterwards.
package func onLoop<Value: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop(name: "test")
    try loop.start()
    let result: Result<Value, any Error> = await withUnsafeContinuation { continuation in
        loop.spawn {
            do {
                continuation.resume(returning: .success(try await body(loop)))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    loop.stop()
    return try result.get()
}
