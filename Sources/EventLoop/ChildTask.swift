/// Runs `step` in a child task. A task keeps the memory of its deepest call until it ends. So a task that may wait for
/// hours should run deep calls in child tasks.
package func inChildTask<Value: Sendable>(_ step: @escaping @Sendable () async throws -> Value) async throws -> Value {
    async let value = step()
    return try await value
}
