import CLinux
import Glibc

/// A thread for one call that blocks, such as a name lookup.
package enum DetachedThread {
    /// Runs `body` on a new thread.
    ///
    /// - Returns: false if no thread could be created. `body` is not run then.
    package static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        let context = Unmanaged.passRetained(Box(body)).toOpaque()
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
        if result != 0 { Unmanaged<Box>.fromOpaque(context).release() }
        return result == 0
    }
}
