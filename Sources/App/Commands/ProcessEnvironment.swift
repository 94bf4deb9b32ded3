import Glibc

/// The environment and the executable of this process.
enum ProcessEnvironment {
    static func all() -> [String: String] {
        var variables: [String: String] = [:]
        var pointer = environ
        while let entry = pointer.pointee {
            let text = String(cString: entry)
            if let separator = text.firstIndex(of: "=") {
                variables[String(text[..<separator])] = String(text[text.index(after: separator)...])
            }
            pointer += 1
        }
        return variables
    }

    /// Returns the absolute path of the running program.
    static func executable() -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes -> Int in
            guard let base = bytes.baseAddress else { return 0 }
            return readlink("/proc/self/exe", base.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : CommandLine.arguments[0]
    }
}
