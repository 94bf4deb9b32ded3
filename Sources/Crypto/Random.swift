import CLinux
import Glibc

/// Bytes from the kernel's generator (getrandom(2)).
package enum Random {
    /// - Precondition: the kernel's generator works; without it nothing safe can be done, so the process ends.
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var filled = 0
            while filled < count {
                let result = getrandom(buffer.baseAddress.map { $0 + filled }, count - filled, 0)
                if result < 0 {
                    precondition(errno == EINTR, "the kernel gives no random bytes")
                    continue
                }
                filled += result
            }
            initialized = count
        }
    }
}
