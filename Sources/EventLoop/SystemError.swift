import Glibc

/// A failed system call: its name and errno.
package struct SystemError: Error, CustomStringConvertible {
    /// The function's name, such as `epoll_ctl`.
    package let call: String
    /// errno, or the error that the function returned.
    package let code: Int32

    /// - Parameter code: the current errno by default.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }
}
