import CLinux
import Glibc

/// Reads available bytes: nil if there are none yet, empty if the other end is closed or reading fails.
func readSome(_ socket: Int32) -> [UInt8]? {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let got = read(socket, buffer.baseAddress, buffer.count)
        count = max(0, got)
        failed = got < 0 && (errno == EAGAIN || errno == EINTR)
    }
    return failed ? nil : bytes
}

func monotonicMilliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
}
