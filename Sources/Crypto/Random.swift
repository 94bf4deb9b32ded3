import CLinux
import Glibc

/// Random bytes from the kernel (getrandom(2)).
package enum Random {
    /// Returns random bytes.
    ///
    /// - Precondition: getrandom succeeds. Without secure random numbers the process must end.
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var filled = 0
            while filled < count {
                let result = getrandom(buffer.baseAddress.map { $0 + filled }, count - filled, 0)
                if result < 0 {
                    precondition(errno == EINTR, "getrandom failed")
                    continue
                }
                filled += result
            }
            initialized = count
        }
    }
}
