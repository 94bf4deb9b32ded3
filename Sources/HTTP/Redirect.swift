/// Redirect targets that come from a request.
package enum Redirect {
    /// Returns the candidate if it is a path on this site, else `/`.
    ///
    /// The candidate must be an absolute path of visible ASCII characters. Browsers treat `//host` and `/\host` as
    /// another site, and remove tabs and line ends. So these are refused, also if they are percent-encoded.
    package static func ownPath(_ candidate: String?) -> String {
        guard let candidate, isOwn(candidate), let decoded = PercentCoding.decode(candidate.utf8),
            isOwn(decoded, decoded: true)
        else { return "/" }
        return candidate
    }

    /// Whether the path is on this site.
    ///
    /// - Parameter decoded: whether the path is percent-decoded, so that it may have spaces and non-ASCII characters.
    private static func isOwn(_ path: String, decoded: Bool = false) -> Bool {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"), bytes.count <= 2048 else {
            return false
        }
        return bytes.allSatisfy { $0 >= (decoded ? 32 : 33) && $0 != 127 && $0 != 92 && (decoded || $0 < 127) }
    }
}
