/// The destination of a streamed response.
package protocol ResponseWriter: Sendable {
    /// Sends the bytes, and waits until all of them are in the kernel's buffer. A client that reads nothing for 30 s
    /// counts as disconnected.
    func send(_ bytes: [UInt8]) async throws(Disconnected)
}
