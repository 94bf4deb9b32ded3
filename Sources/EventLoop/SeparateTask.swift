/// Runs a step in a child task. A task keeps the memory of its deepest call until it ends, so one that may wait for hours does
/// its work in child tasks and waits outside of them.
package func inSeparateTask<Value: Sendable>(_ step: @escaping @Sendable () async throws -> Value) async throws -> Value
{
    async let value = step()
    return try await value
}
