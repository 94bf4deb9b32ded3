import Glibc

/// A refused system call: its name and errno.
package struct SystemError: Error, CustomStringConvertible {
    /// The function's name, such as `epoll_ctl`.
    package let call: String
    /// errno, or what the function returned in its place.
    package let code: Int32

    /// Takes the current errno unless told otherwise.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }
}
